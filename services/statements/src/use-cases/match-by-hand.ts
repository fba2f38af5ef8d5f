import { conflictIn, type Input, type matchByHand as match, Problem } from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import { kobo } from "../domain/statement.ts";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { shareDays } from "../store/closings.ts";
import { idOf, insertMatches, readAround, removeMatches, sizeOfHandmade } from "../store/matches.ts";
import { readLine } from "../store/statements.ts";
import { dayClosed, refuseClosed } from "./closed-day.ts";

/**
 * Matches lines and movements of one account by hand, and undoes the matches that they were in. On a closed day only what is in no
 * match can still be matched, with something of an open one. The same again is the same match.
 */
export function matchByHand(pool: Pool, given: Input<typeof match>, by: string): Promise<bigint> {
  return transaction(pool, async (tx) => {
    const [account] = (await readAround(tx, given)).map((row) => row.account);
    if (account === undefined) throw unknown();
    await lockBankAccount(tx, account);
    // A closing that is under way has been seen by its persons without this match.
    await shareDays(tx);
    const around = await readAround(tx, given);
    const total = around.reduce((sum, { n }) => sum + n, 0);
    if (total !== new Set(given.lines).size + new Set(given.movements).size) throw unknown();
    if (around.some((row) => row.account !== account)) throw new Problem("conflict", "They are of different accounts.");
    const matches = [...new Set(around.flatMap((row) => row.match ?? []))];
    if (matches.some((id) => id < 0n)) throw takenBack();
    const [known] = matches;
    if (
      known !== undefined &&
      around.every((row) => row.match === known) &&
      (await sizeOfHandmade(tx, known)) === total
    )
      return known;
    // No second person would see it.
    if (!around.some((row) => row.is_open)) throw dayClosed();
    assertDifference(around, given.difference ?? 0n);
    const match = {
      lines: [...new Set(given.lines)].map(BigInt),
      movements: [...new Set(given.movements)],
      by: "hand" as const,
    };
    await removeMatches(tx, matches);
    await insertMatches(tx, [match], { account, by });
    return idOf(match);
  }).catch(refuseClosed);
}

/**
 * Undoes a match by hand: its lines and movements are open, and are matched by themselves again. False if there is none, as when this comes twice.
 * A trigger refuses it once any of them is of a closed day, also one whose closing has begun before.
 */
export function undoMatch(pool: Pool, match: string): Promise<boolean> {
  const id = BigInt(match);
  return transaction(pool, async (tx) => {
    // It has the number of one of its lines.
    const line = await readLine(tx, match);
    if (!line) return false;
    await lockBankAccount(tx, line.account);
    if ((await sizeOfHandmade(tx, id)) === undefined) return false;
    await removeMatches(tx, [id]);
    return true;
  }).catch(refuseClosed);
}

type Around = Awaited<ReturnType<typeof readAround>>;

/** Other sums are matched only by a person who says by how much they differ. */
function assertDifference(around: Around, named: bigint): void {
  const difference = around.reduce((sum, row) => sum + row.difference, 0n);
  if (difference === named) return;
  const message = `The lines are ${kobo(difference)} more than the movements, and not ${kobo(named)}.`;
  throw new Problem("conflict", "The sums differ: name the difference, or match what has the same sum.", {
    errors: [{ param: "difference", code: "sums_differ", message }],
  });
}

const takenBack = () =>
  conflictIn(
    "movements",
    "credit_never_came",
    "One of them was taken back as never come, or is about to be: a line that comes later is another credit.",
  );

const unknown = () => new Problem("not_found", "Not all of these lines and movements exist.");
