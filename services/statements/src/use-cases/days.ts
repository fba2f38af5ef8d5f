import type { Bus } from "@collect/bus";
import { conflictIn, DAY_VOUCHED_MAX, DaySheet, type explainDifference, type Input, Problem } from "@collect/contracts";
import { type Pool, type Session, transaction } from "@collect/database";
import { type ExplainedItem, isGroupKey, membersOf, tooLarge } from "../domain/groups.ts";
import { isOpening } from "../domain/openings.ts";
import { canBeRefund, isRefund } from "../domain/refunds.ts";
import { isLineOfBank, type NoCharge, takesReason } from "../domain/sheet.ts";
import type { Day } from "../domain/statement.ts";
import { lockBankAccount } from "../store/bank-accounts.ts";
import { lockDays, readAtOnce, storeClosing } from "../store/closings.ts";
import { readImporters, readMatchers, storeExplanations } from "../store/days.ts";
import { offeredOf } from "../store/offers.ts";
import { dayClosed, refuseClosed } from "./closed-day.ts";
import { type OpenDay, readClosedDay, readOpenDay, toMember } from "./day-sheet.ts";
import { readLedger } from "./read-ledger.ts";
import type { Refresh } from "./refresh.ts";
import { assertCharged, refundRefused } from "./refunds.ts";

type Deps = { pool: Pool; bus: Bus; refresh: Refresh };

/** The day as it is: what is new is read before, unless it is closed. */
export async function showDay(deps: Deps, day: Day): Promise<DaySheet> {
  return (await readNow(deps, day)).sheet;
}

async function readNow({ pool, bus, refresh }: Deps, day: Day): Promise<ClosedDay | OpenDay> {
  const closed = await readClosedDay(pool, day);
  if (closed) return { sheet: closed };
  await refresh();
  return readStored({ pool, bus }, day);
}

type ClosedDay = { sheet: DaySheet; vouched?: undefined };

/** A day as it is without what is new in accounts and payments. */
export async function readStored({ pool, bus }: { pool: Pool; bus: Bus }, day: Day): Promise<ClosedDay | OpenDay> {
  const ledger = await readLedger({ pool, bus }, day);
  return transaction(pool, async (tx) => {
    await readAtOnce(tx);
    const closed = await readClosedDay(tx, day);
    return closed ? { sheet: closed } : readOpenDay(tx, day, ledger);
  });
}

type Given = Input<typeof explainDifference>;

/**
 * Gives a reason for a line of the difference as it is now, or for all lines of a group or a class: as a charge, for all that can be one, as money of
 * our own, or as a charge that the bank gave back.
 */
export async function explain(deps: Deps, given: Given, by: string): Promise<void> {
  const { day, amount, reason, charge: isCharge = false, own: isOwn = false, refund: isRefunded = false } = given;
  const read = await readNow(deps, day);
  if (!read.vouched) throw dayClosed();
  const meant = meantBy(read, given);
  if (meant.length === 0 || meant.reduce((sum, each) => sum + each.amount, 0n) !== amount)
    throw new Problem("not_found", "The difference has no such line with this amount that needs a reason.");
  assertCanBe(meant, { isCharge, isOwn, isRefunded });
  if (meant.length > DAY_VOUCHED_MAX)
    throw tooManyLines(`At most ${DAY_VOUCHED_MAX} lines are given a reason at once, and these are ${meant.length}.`);
  const items = meant.map(({ key, amount, charge = null }) => ({
    ...{ key, amount },
    charge: isRefunded ? amount : isCharge ? charge : null,
  }));
  await transaction(deps.pool, async (tx) => {
    if (isOwn || isRefunded) await assertNotOffered(tx, meant, isOwn ? ownRefused : refundRefused);
    if (isRefunded) await assertCharged(tx, { day, all: read.vouched.flatMap(membersOf), meant });
    await storeExplanations(tx, { day, items, reason, by, isOwn });
  }).catch(refuseClosed);
}

type Said = { isCharge: boolean; isOwn: boolean; isRefunded: boolean };

function assertCanBe(meant: ExplainedItem[], { isCharge, isOwn, isRefunded }: Said): void {
  if (isRefunded && (isCharge || isOwn))
    throw refundRefused(
      "not_with_others",
      "A charge that was given back is no charge, and no money of our own: say one of them.",
    );
  if (isRefunded && !meant.every(canBeRefund))
    throw refundRefused(
      "not_a_credit_of_the_bank",
      "Only money that reached the account, on a line that is in no match, can be a charge that the bank gave back.",
    );
  if (isCharge && isOwn)
    throw ownRefused("not_with_charge", "Money of our own is no charge of the bank: say one of the two.");
  const none = isCharge ? meant.find((item) => item.charge == null || isLineOfBank(item)) : undefined;
  if (none?.noCharge) throw chargeRefused(none.noCharge);
  if (none)
    throw new Problem(
      "conflict",
      "Only a match of credits with a different amount, or of payouts with up to ₦100 more for each, can be a charge, on the last day of the match.",
    );
  if (isOwn && !meant.every(isLineOfBank))
    throw ownRefused(
      "not_a_line_of_the_bank",
      "Only a line of the bank that is in no match, or an opening balance, can be money of our own.",
    );
}

const NO_CHARGE: Record<NoCharge, string> = {
  charge_above_reported:
    "The bank has more than it reported to have kept of these transfers: that is no charge that it gives back. A transfer may be missing.",
  charge_in_one_sum:
    "The bank has more in one sum than what is known of it: that is no charge that it gives back. A transfer of the sum may be missing.",
};

const chargeRefused = (code: NoCharge) => conflictIn("charge", code, NO_CHARGE[code]);

/** Under the locks with which lines are offered and claimed. */
async function assertNotOffered(tx: Session, meant: ExplainedItem[], refused: typeof ownRefused): Promise<void> {
  const accounts = new Set(meant.flatMap(({ account }) => account ?? []));
  for (const account of [...accounts].toSorted()) await lockBankAccount(tx, account);
  const offered = await offeredOf(tx, meant.flatMap(linesOf));
  if (offered.length > 0)
    throw refused(
      "line_is_offered",
      `These lines were offered as transfers, or claimed as what the bank gave or took back: ${offered.join(", ")}.`,
    );
}

/** An opening balance is in no line. */
const linesOf = (item: ExplainedItem): bigint[] => (isOpening(item) ? [] : [BigInt(item.key.replace("line:", ""))]);

const ownRefused = (code: string, message: string) => conflictIn("own", code, message);

/**
 * What a person has seen is explained, and nothing that has joined it since: a group by the digest in its key, and a class of a day with groups by the
 * digest of the sheet.
 */
function meantBy({ sheet, vouched }: OpenDay, { item, seen, charge: isCharge }: Given): ExplainedItem[] {
  if (seen !== undefined && seen !== sheet.digest) throw changed();
  const shown = vouched.find(({ key }) => key === item);
  if (shown) return membersOf(shown).filter(takesReason);
  if (isGroupKey(item)) throw groupChanged();
  const isOfClass = ({ class: kind, charge = null }: ExplainedItem) => kind === item && (!isCharge || charge !== null);
  const all = vouched.flatMap(membersOf).filter(takesReason);
  const meant = all.filter((each) => each.key === item || isOfClass(each));
  if (meant.length > 1 && seen === undefined && vouched.some(({ members }) => members))
    throw new Problem("conflict", "The day has more lines than are listed: name the digest of what you have seen.", {
      errors: [{ param: "seen", code: "required", message: "is required for all lines of a class of such a day" }],
    });
  return meant;
}

const changed = () => new Problem("conflict", "The day has changed since it was shown: look at it again.");

export function groupChanged(): Problem {
  const message = "has other lines by now";
  return new Problem("conflict", "The group has changed since it was shown: look at the day again.", {
    errors: [{ param: "item", code: "group_changed", message }],
  });
}

const tooManyLines = (message: string) => conflictIn("day", "day_too_large", message);

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
  const ledger = await readLedger({ pool, bus }, day);
  return transaction(pool, async (tx) => {
    await lockDays(tx);
    const closed = await readClosedDay(tx, day);
    if (closed && closed.closed_by !== by)
      throw new Problem("conflict", `The day is closed already, by ${closed.closed_by}.`);
    if (closed) return closed;
    const open = await readOpenDay(tx, day, ledger);
    const { sheet } = open;
    const large = tooLarge(open.vouched);
    if (large !== null) throw tooManyLines(large);
    if (sheet.blocked_by !== null) throw blocked(open, sheet.blocked_by);
    await refuseSamePerson(tx, sheet, by);
    if (seen !== undefined && seen !== sheet.digest) throw changed();
    const established = { own: ownIn(open), openings: open.openings };
    await storeClosing(tx, { day, sheet: DaySheet.encode(sheet), by, members: groupedIn(open), ...established });
    return (await readClosedDay(tx, day)) ?? sheet;
  });
}

const blocked = ({ audit }: OpenDay, message: string): Problem =>
  audit?.message === message ? conflictIn("day", audit.code, message) : new Problem("conflict", message);

/** The person has seen nothing of another one then. All of a group have the same reason of the same person. */
async function refuseSamePerson(tx: Session, { day, items }: DaySheet, by: string): Promise<void> {
  const settledBy = [...items.map(({ explained_by }) => explained_by), ...(await readMatchers(tx, day))];
  if (settledBy.includes(by))
    throw new Problem(
      "second_person_required",
      "You gave a reason, matched by hand or ended an account: another person closes the day.",
    );
  if ((await readImporters(tx, day)).includes(by))
    throw new Problem("second_person_required", "You imported a statement of the day: another person closes it.");
}

/** The lines that are money of our own, or charges that the bank gave back. */
const ownIn = ({ vouched }: OpenDay): bigint[] =>
  vouched
    .flatMap(membersOf)
    .filter((item) => item.explanation?.is_own || isRefund(item))
    .flatMap(linesOf);

const groupedIn = ({ vouched, describe }: OpenDay) =>
  vouched.flatMap(({ key: group, members = [] }) =>
    members.map((member) => ({ ...toMember(member, describe), group })),
  );
