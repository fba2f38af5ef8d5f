import type { Bus } from "@collect/bus";
import { DaySheet, type explainDifference, type Input, Problem } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { isUndecided } from "../domain/sheet.ts";
import type { Day } from "../domain/statement.ts";
import { lockDays, readAtOnce, readImporters, readMatchers, storeClosing, storeExplanations } from "../store/days.ts";
import { dayClosed, refuseClosed } from "./closed-day.ts";
import { readClosedDay, readLedger, readOpenDay } from "./day-sheet.ts";
import type { Refresh } from "./refresh.ts";

type Deps = { pool: Pool; bus: Bus; refresh: Refresh };

/** The day as it is: what is new is read before, unless it is closed. */
export async function showDay({ pool, bus, refresh }: Deps, day: Day): Promise<DaySheet> {
  const closed = await readClosedDay(pool, day);
  if (closed) return closed;
  await refresh();
  const ledger = await readLedger(bus, day);
  return transaction(pool, async (tx) => {
    await readAtOnce(tx);
    return (await readClosedDay(tx, day)) ?? readOpenDay(tx, day, ledger);
  });
}

/** Gives a reason for a line of the difference as it is now, or for all lines of a class. */
export async function explain(deps: Deps, given: Input<typeof explainDifference>, by: string): Promise<void> {
  const { day, item, amount, reason } = given;
  const { state, items } = await showDay(deps, day);
  if (state === "closed") throw dayClosed();
  const meant = items.filter(
    ({ settled, ...each }) =>
      !settled && !isUndecided({ ...each, isSettled: settled }) && (each.key === item || each.class === item),
  );
  if (meant.length === 0 || meant.reduce((sum, each) => sum + each.amount, 0n) !== amount)
    throw new Problem("not_found", "The difference has no such line with this amount that needs a reason.");
  await storeExplanations(deps.pool, { day, items: meant, reason, by }).catch(refuseClosed);
}

/**
 * Closes a day as it is at this moment: nothing changes it while its sheet is made, and nothing afterwards. The person who closes it
 * vouches for the statements, the reasons and the matches by hand of others, as they were in the sheet with the digest `seen`. Closing it again
 * is the same closing, and another person's is refused: it is not theirs.
 */
export async function closeDay(
  { pool, bus, refresh }: Deps,
  day: Day,
  by: string,
  seen?: string | undefined,
): Promise<DaySheet> {
  await refresh();
  const ledger = await readLedger(bus, day);
  return transaction(pool, async (tx) => {
    await lockDays(tx);
    const closed = await readClosedDay(tx, day);
    if (closed && closed.closed_by !== by)
      throw new Problem("conflict", `The day is closed already, by ${closed.closed_by}.`);
    if (closed) return closed;
    const sheet = await readOpenDay(tx, day, ledger);
    if (sheet.blocked_by !== null) throw new Problem("conflict", sheet.blocked_by);
    const settledBy = [...sheet.items.map(({ explained_by }) => explained_by), ...(await readMatchers(tx, day))];
    if (settledBy.includes(by))
      throw new Problem(
        "second_person_required",
        "You gave a reason, matched by hand or ended an account: another person closes the day.",
      );
    if ((await readImporters(tx, day)).includes(by))
      throw new Problem("second_person_required", "You imported a statement of the day: another person closes it.");
    if (seen !== undefined && seen !== sheet.digest)
      throw new Problem("conflict", "The day has changed since it was shown: look at it again.");
    await storeClosing(tx, { day, sheet: DaySheet.encode(sheet), by });
    return (await readClosedDay(tx, day)) ?? sheet;
  });
}
