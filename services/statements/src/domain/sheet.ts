import type { DifferenceClass } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { addDays } from "./calendar.ts";
import { payoutFeeIn } from "./payout-fee.ts";
import { type Day, kobo } from "./statement.ts";

/** The match that it is in, and who made it by hand. */
type Matched = { match: bigint | null; by: string | null };

/** A line of the bank, or a part of a batched one, on its day. `isByAmount` and `isInOneSum` if its match is by the amount alone, or by a settlement. */
export type SheetLine = {
  id: bigint;
  account: string;
  on: Day;
  amount: Kobo;
  isCharge: boolean;
  isByAmount: boolean;
  isInOneSum: boolean;
} & Matched;

/**
 * Something that we know of. `on` is the day on which our books have it; null while they do not, as for a payout that the bank has not
 * confirmed, or one that failed.
 */
export type SheetMovement = {
  key: string;
  account: string;
  on: Day | null;
  amount: Kobo;
  /** What the bank reported to have kept of it, where that is known. */
  kept: Kobo | null;
  isVoid: boolean;
  /** So many days after its own, if the bank has not booked it by then, it is missing there. */
  missingAfter: number;
} & Matched;

/** A line of a day's difference: by how much the bank has more than our books because of it. */
export type Item = {
  key: string;
  class: DifferenceClass;
  account: string | null;
  amount: Kobo;
  isSettled: boolean;
  by: string | null;
  /** It is a match by the amount alone. */
  isByAmount?: boolean;
  /** What the bank may have kept of the credits in a match, or taken with its payouts: below zero. Above, if it has shown a charge that it reported on a line of its own. */
  charge?: Kobo | null;
  /** Why what the bank has more of credits is none. */
  noCharge?: NoCharge;
};

/** The bank has more than it reported to have kept; or it is in one sum for several, or for a settlement, of which one may not be known here. */
export type NoCharge = "charge_above_reported" | "charge_in_one_sum";

/**
 * What our books have and the bank has not booked yet takes no reason: its next statements say whether it is a loss. A day that was closed
 * with it as a delay would hide that.
 */
export const isUndecided = ({ key, class: kind, isSettled }: Pick<Item, "key" | "class" | "isSettled">) =>
  kind === "timing" && !isSettled && !key.startsWith("match:");

/** Money at the bank that our books have nothing of: it may be our own. */
export const isLineOfBank = ({ class: kind }: Pick<Item, "class">): boolean => kind === "bank_only";

export const takesReason = (item: Item): boolean => !item.isSettled && !isUndecided(item);

type Given = {
  day: Day;
  /** Everything of the day, and whatever is matched with it on other days. */
  lines: SheetLine[];
  charges: ReturnType<typeof chargesOf>;
  movements: SheetMovement[];
  /** Up to which day the statements of each account are here. */
  coveredTo: Map<string, Day>;
  /** How much the ledger has booked on the bank during the day; null if it is not known. */
  ledgerChange: Kobo | null;
};

/**
 * The difference of a day, line by line: the change at the bank minus the change in the ledger is exactly the sum of the items. An item
 * is settled if its counterpart was found on another day; all others need a reason.
 */
export function itemsOf({ day, lines, charges, movements, coveredTo, ledgerChange }: Given): Item[] {
  const matched = new Map<bigint, Group>();
  for (const line of lines) if (line.match !== null) groupOf(matched, line.match).lines.push(line);
  for (const movement of movements)
    if (movement.match !== null) groupOf(matched, movement.match).movements.push(movement);
  const items: Item[] = [
    ...lines.filter(({ match, on, isCharge }) => match === null && on === day && !isCharge).map(unmatchedLine),
    ...[...charges.values()].map(chargesItem),
    ...movements
      .filter(({ match, on }) => match === null && on === day)
      .map((movement) => unmatchedMovement(movement, coveredTo.get(movement.account))),
    ...[...matched].map(([id, group]) => matchedItem(id, group, day)),
  ];
  const booked = sum(movements.filter(({ on }) => on === day));
  const unreported = ledgerChange === null ? 0n : booked - ledgerChange;
  const ledger: Item = {
    key: "ledger",
    class: "ledger",
    account: null,
    amount: unreported,
    isSettled: false,
    by: null,
  };
  // A match that adds nothing to this day may still say what the bank kept of an earlier one.
  return [...items, ledger].filter(({ amount, by, charge = null }) => amount !== 0n || by !== null || charge !== null);
}

type Group = { lines: SheetLine[]; movements: SheetMovement[] };

function groupOf(groups: Map<bigint, Group>, id: bigint): Group {
  const group = groups.get(id) ?? { lines: [], movements: [] };
  groups.set(id, group);
  return group;
}

const sum = (rows: { amount: Kobo }[]): Kobo => rows.reduce((total, { amount }) => total + amount, 0n);

const unmatchedLine = ({ id, account, amount }: SheetLine): Item => ({
  ...{ key: `line:${id}`, account, amount, isSettled: false, by: null, class: "bank_only" },
});

/** The bank's charges of a day, of each account. There may be thousands: a day has one item of them, whose key is the first line. */
export const chargesOf = <Line extends SheetLine>(lines: Line[], day: Day): Map<string, Line[]> =>
  Map.groupBy(
    lines.filter(({ match, on, isCharge }) => match === null && on === day && isCharge),
    ({ account }) => account,
  );

const chargesItem = (lines: SheetLine[]): Item => ({
  ...{ key: `charges:${lines[0]?.id}`, account: lines[0]?.account ?? null, amount: sum(lines) },
  ...{ isSettled: false, by: null, class: "charge" },
});

/**
 * What is left at the bank is in no statement any more, and our books keep it: so much less is at the banks from then on. It is shown to the
 * one who closes the first day without the account: another than the one who ended it.
 */
export const accountEnded = ({ number, by, left }: { number: string; by: string; left: Kobo }): Item => ({
  ...{ key: `account:${number}`, account: number, amount: -left, isSettled: true, by, class: "account_ended" },
});

export const leftAtBank = (left: Kobo): string => `${kobo(left)} left at the bank`;

/** What is of a day before the first statement of its account is in that one's opening balance: no statement will show it, so it is not under way. */
function unmatchedMovement(movement: SheetMovement, coveredTo: Day | undefined): Item {
  const { key, account, on, amount, missingAfter } = movement;
  const isInTransit = on === null || coveredTo === undefined || coveredTo < addDays(on, missingAfter);
  return { key, account, amount: -amount, isSettled: false, by: null, class: isInTransit ? "timing" : "books_only" };
}

function matchedItem(id: bigint, { lines, movements }: Group, day: Day): Item {
  const isSame = sum(lines) === sum(movements) && !movements.some(({ isVoid }) => isVoid);
  const by = lines[0]?.by ?? null;
  const fee = payoutFeeIn({ lines, movements }, day);
  return {
    ...{ key: `match:${id}`, by },
    class: !isSame ? "different_amount" : by === null ? "timing" : "by_hand",
    account: (lines[0] ?? movements[0])?.account ?? null,
    amount: sum(lines.filter(({ on }) => on === day)) - sum(movements.filter(({ on }) => on === day)),
    isSettled: isSame && movements.every(({ on }) => on !== null),
    isByAmount: lines[0]?.isByAmount ?? false,
    ...(fee === null ? chargeIn({ lines, movements }, day) : { charge: fee }),
  };
}

/**
 * Of credits alone, and on the last day of the match: then all of it is known, and closed with this day. Money that leaves is no charge. The
 * bank has more where it reported its charge with the credit, and shows it on a line of its own: our books have it by the report, and would
 * have it again by that line. So it is at most what was reported, of a transfer with a line of its own: anything else that there is more may be the
 * money of a customer whose transfer was never notified.
 */
function chargeIn({ lines, movements }: Group, day: Day): Pick<Item, "charge" | "noCharge"> {
  const isCredit =
    lines.every(({ amount, on }) => amount > 0n && on <= day) &&
    movements.every(({ amount, on, isVoid }) => amount > 0n && on !== null && on <= day && !isVoid);
  const difference = sum(lines) - sum(movements);
  if (!isCredit || lines.length === 0 || movements.length === 0 || difference === 0n) return { charge: null };
  if (difference > movements.reduce((total, { kept }) => total + (kept ?? 0n), 0n))
    return { charge: null, noCharge: "charge_above_reported" };
  const isInOneSum = lines.length < movements.length || lines.some((line) => line.isInOneSum);
  return difference > 0n && isInOneSum ? { charge: null, noCharge: "charge_in_one_sum" } : { charge: difference };
}
