import { createHash } from "node:crypto";
import { DAY_ITEMS_MAX, DaySheet, Problem } from "@collect/contracts";
import type { Pool, Session } from "@collect/database";
import { addDays, dayAfter, endOf } from "../domain/calendar.ts";
import { type ExplainedItem, inGroups, membersOf, type ShownItem, tooLarge } from "../domain/groups.ts";
import { type AuditObstacle, auditItem, auditObstacle } from "../domain/ledger-audit.ts";
import { isRefund, refundOf } from "../domain/refunds.ts";
import { accountEnded, chargesOf, type Item, isUndecided, itemsOf } from "../domain/sheet.ts";
import type { Day } from "../domain/statement.ts";
import { readClosedBalance, readClosing } from "../store/closings.ts";
import { readTotals } from "../store/day-totals.ts";
import {
  type Explanation,
  readAccounts,
  readCoveredTo,
  readDay,
  readExplanations,
  readLoose,
  readOrder,
} from "../store/days.ts";
import { isComplete } from "../store/movements.ts";
import { readDayOpenings, waitingBefore } from "./day-openings.ts";
import { describer } from "./day-words.ts";
import type { Ledger } from "./read-ledger.ts";
import { refundsBeyondCharges } from "./refunds.ts";
import { readWholeBalance } from "./whole-balance.ts";

/** A closed day as it was closed; undefined for an open one. */
export async function readClosedDay(tx: Session | Pool, day: Day): Promise<DaySheet | undefined> {
  const closing = await readClosing(tx, day);
  if (!closing) return undefined;
  const sheet = DaySheet.parse(closing.sheet);
  const { closed_at, closed_by } = closing;
  const totals = { charges: await readTotals(tx, "charges", day), own_funds: await readTotals(tx, "own_funds", day) };
  return { ...sheet, state: "closed", closed_at, closed_by, blocked_by: null, ...totals };
}

/**
 * `vouched` are the lines that a person vouches for, in groups where there are more than fit; `openings` those that are opening balances; `audit` is why
 * the day cannot be closed against this ledger.
 */
export type OpenDay = {
  sheet: DaySheet;
  vouched: ShownItem[];
  openings: Item[];
  audit: AuditObstacle | null;
  describe: (item: ShownItem) => string;
};

/**
 * An open day as it is now. It begins with what the ledger had when the day before was closed: what the ledger has learned of that one since
 * counts on the first open day, as movements do.
 */
export async function readOpenDay(tx: Session, day: Day, now: Ledger): Promise<OpenDay> {
  const order = await readOrder(tx, day);
  if (order.first === null || order.first > day) throw new Problem("not_found", `There is no statement of ${day}.`);
  const ledger = await ledgerOf(tx, day, { now, isFirst: day === order.first });
  const isNext = day === (order.last ? dayAfter(order.last) : order.first);
  const { openings, undecidedBefore } = await readDayOpenings(tx, day, { first: order.first, isNext, ledger });
  const known = await readAccounts(tx, day);
  const accounts = known.filter(({ last_day }) => last_day === null || last_day >= day);
  const { lines, movements } = await readDay(tx, day);
  const coveredTo = await readCoveredTo(tx);
  const charges = chargesOf(lines, day);
  const ended = known.filter(({ last_day }) => last_day !== null && dayAfter(last_day) === day);
  const audited = auditItem(now.audit);
  const items = [
    ...ended.map(({ number, ended_by, opening }) => accountEnded({ number, by: ended_by ?? "", left: opening })),
    ...itemsOf({ day, lines, charges, movements, ledgerChange: ledger.closing - ledger.opening, coveredTo }),
    ...openings,
    ...audited,
  ];
  const explanations = await readExplanations(tx, day);
  const describe = describer({ lines, charges, movements, described: [...openings, ...audited], accounts: known });
  // What a person has to vouch for comes first, and has to fit.
  const explained = items.map((item) => explainedBy(explanations, item));
  const settled = explained.filter(isByItself);
  const vouched = inGroups(explained.filter((item) => !isByItself(item)));
  const undecided = items.filter(isUndecided).length;
  const open = explained.filter(({ isSettled, explanation }) => !isSettled && !explanation).length - undecided;
  const compare = (account: Account) => ({
    ...{ ...account, closing: closingOf(account) },
    ...compared(account, { day, lines, movements, openings }),
  });
  const begun = accounts.filter(({ covered_to }) => covered_to !== null).map(compare);
  // Of a later day it is not known yet what those before it are closed with.
  const balance = isNext && (await readWholeBalance(tx, day, { accounts: begun, ledger, items: explained }));
  const sheet = {
    ...{ day, state: "open" as const, closed_at: null, closed_by: null, ledger, accounts: begun },
    difference: items.reduce((sum, { amount }) => sum + amount, 0n),
    items_total: items.length,
    items: [...vouched, ...settled]
      .slice(0, DAY_ITEMS_MAX)
      .map((item) => toResponse(item, { describe, accounts: known })),
    settled: sumsOf(settled),
    ...(balance && { balance }),
  };
  assertAccountsAddUp(sheet.accounts, items);
  const left = ended.reduce((sum, { opening }) => sum + opening, 0n);
  assertAddsUp(sheet, sumOf(openings) - left);
  const audit = auditObstacle(now.audit, { items: explained, end: endOf(day) });
  const blocked_by =
    (await obstacle(tx, { day, accounts, order })) ??
    audit?.message ??
    unexplained(open) ??
    waiting(undecided) ??
    waitingBefore(undecidedBefore) ??
    (await refundsBeyondCharges(tx, day, explained)) ??
    tooLarge(vouched);
  const digest = digestOf({ ...sheet, blocked_by: null });
  return { sheet: { ...sheet, blocked_by, digest }, vouched, openings, audit, describe };
}

/** As a group lists it. */
export function toMember(item: ExplainedItem, describe: OpenDay["describe"]) {
  const { key, amount, charge = null } = item;
  return { key, amount, charge, what: describe(item) };
}

async function ledgerOf(tx: Session, day: Day, { now, isFirst }: { now: Ledger; isFirst: boolean }) {
  const { closing, booked } = now;
  const opening = (await readClosedBalance(tx, addDays(day, -1))) ?? now.opening;
  // Only a database that was begun anew finds something booked before the first day.
  return { opening, closing, ...(isFirst && booked !== 0n && { booked }) };
}

type Words = Pick<OpenDay, "describe"> & { accounts: Account[] };

function toResponse(item: ShownItem, { describe, accounts }: Words): DaySheet["items"][number] {
  const { key, class: kind, account, amount, isSettled, explanation, by, charge = null, members } = item;
  return {
    ...{ key, class: kind, account, amount, what: describe(item), settled: isSettled },
    reason: explanation?.reason ?? reasonOf(item, accounts) ?? (by === null ? null : "matched by hand"),
    explained_by: explanation?.explained_by ?? by,
    ...{ matched_by: key.startsWith("match:") ? by : null, by_amount: item.isByAmount ?? false },
    ...{ charge, is_charge: explanation !== undefined && explanation.charge !== null },
    ...{ is_own: explanation?.is_own ?? false, is_refund: membersOf(item).every(isRefund) },
    ...(members && { count: members.length }),
  };
}

/** Of the sheet as it is sent: whatever a person is shown. */
const digestOf = (sheet: DaySheet): string =>
  createHash("sha256")
    .update(JSON.stringify(DaySheet.encode(sheet)))
    .digest("hex");

type Account = Awaited<ReturnType<typeof readAccounts>>[number];
type Rows = Awaited<ReturnType<typeof readDay>>;

const reasonOf = ({ class: kind, account }: Pick<Item, "class" | "account">, accounts: Account[]) =>
  kind === "account_ended" ? accounts.find(({ number }) => number === account)?.end_reason : undefined;

const isByItself = ({ isSettled, by }: Item) => isSettled && by === null;

const sumsOf = (items: Item[]): DaySheet["settled"] =>
  [...Map.groupBy(items, (item) => item.class)].map(([kind, of]) => ({
    ...{ class: kind, items: of.length, amount: of.reduce((sum, { amount }) => sum + amount, 0n) },
  }));

/** A reason counts for the amount that it was given for, and for nothing that a statement will decide. */
function explainedBy(explanations: Map<string, Explanation>, item: Item): ExplainedItem {
  const found = explanations.get(item.key);
  if (found?.amount !== item.amount || isUndecided(item)) return { ...item, explanation: undefined };
  if (found.charge === null) return { ...item, explanation: found };
  const refund = refundOf(item);
  if (isRefund(refund)) return { ...refund, explanation: found };
  // It was given for another sum of the match, of which a part is on another day.
  return { ...item, explanation: found.charge === item.charge ? found : undefined };
}

const closingOf = (account: Account) => account.opening + account.in + account.out + account.charges;

const sumOf = (items: { amount: bigint }[]) => items.reduce((sum, { amount }) => sum + amount, 0n);

/** What our books have on an account for the day, by how much more the bank has, and how many lines have only their amount in common with it. */
function compared(account: Account, { day, lines, movements, openings }: Rows & { day: Day; openings: Item[] }) {
  const isOf = ({ account: number, on }: { account: string; on: Day | null }) =>
    number === account.number && on === day;
  const booked = sumOf(movements.filter(isOf));
  const before = sumOf(openings.filter((each) => each.account === account.number));
  return {
    ...{ booked, difference: before + closingOf(account) - account.opening - booked },
    matched_by_amount: lines.filter((line) => isOf(line) && line.isByAmount).length,
  };
}

/** A match is of one account, so that its items lead to its difference. */
function assertAccountsAddUp(accounts: { number: string; difference: bigint }[], items: Item[]): void {
  const of = Map.groupBy(items, ({ account }) => account);
  for (const { number, difference } of accounts)
    if ((of.get(number) ?? []).reduce((sum, { amount }) => sum + amount, 0n) !== difference)
      throw new Error("the items of an account do not add up to its difference");
}

/** Independent of how the items were found: what changed at the banks, less what changed in the ledger. `came` came in with accounts, less what is no more in any. */
function assertAddsUp(
  { accounts, ledger, difference }: Pick<DaySheet, "accounts" | "ledger" | "difference">,
  came: bigint,
): void {
  const atBanks = accounts.reduce((sum, { opening, closing }) => sum + closing - opening, came);
  if (atBanks - (ledger.closing - ledger.opening) !== difference)
    throw new Error("the items of a day do not add up to its difference");
}

type Order = Awaited<ReturnType<typeof readOrder>>;

/** Why the day cannot be closed whatever its items are. */
async function obstacle(
  tx: Session,
  { day, accounts, order: { last, first, is_over } }: { day: Day; accounts: Account[]; order: Order },
): Promise<string | null> {
  const next = last ? dayAfter(last) : first;
  if (!is_over) return "The day is not over.";
  if (next !== day) return `Days are closed in order: the next one is ${next}.`;
  const uncovered = accounts.find(({ covered_to }) => covered_to === null || covered_to < day);
  if (uncovered) return `There is no complete statement of account ${uncovered.number} for the day.`;
  const loose = await readLoose(tx);
  if (loose.length > 0)
    return `Of closed days these are in no match any more, or in one with a payout that failed, and have no reason: ${loose.join(", ")}.`;
  return (await isComplete(tx, endOf(day))) ? null : "What accounts and payments know of the day is not read yet.";
}

const waiting = (count: number): string | null =>
  count === 0 ? null : `The bank's next statements decide on lines of the difference: ${count}.`;

const unexplained = (count: number): string | null =>
  count === 0 ? null : `Lines of the difference without a reason: ${count}.`;
