import { createHash } from "node:crypto";
import { DAY_ITEMS_MAX, DAY_VOUCHED_MAX } from "@collect/contracts";
import { isOpening } from "./openings.ts";
import { type Item, isUndecided, takesReason } from "./sheet.ts";
import { kobo } from "./statement.ts";

type Reason = { reason: string; explained_by: string; charge: bigint | null; is_own: boolean };
/** An item with the reason that counts for it. */
export type ExplainedItem = Item & { explanation: Reason | undefined };
/** A line of the sheet: an item, or a group with the sums of its members. */
export type ShownItem = ExplainedItem & { members?: ExplainedItem[] };

/**
 * A sheet has room for 2,000 items, and each line of a day can differ where a bank reports in another way than we know. Of more, the largest
 * of each account and class stand by themselves, and the others are in groups that a person answers for alike. All of a group have one sign,
 * so that none hides another, and the same reason or none. What a person has matched by hand is in none, nor is an opening balance.
 */
export function inGroups(items: ExplainedItem[]): ShownItem[] {
  if (items.length <= DAY_ITEMS_MAX) return items;
  const kinds = Map.groupBy(
    items.filter((item) => item.by === null && !isOpening(item)),
    ({ account, class: kind }) => JSON.stringify([account, kind]),
  );
  const listedMax = Math.max(1, Math.floor(DAY_ITEMS_MAX / 2 / kinds.size));
  const smaller = new Set([...kinds.values()].flatMap((of) => largestFirst(of).slice(listedMax)));
  return [...[...Map.groupBy(smaller, alike).values()].map(groupOf), ...items.filter((item) => !smaller.has(item))];
}

/** What a person would say of one of them, the person says of all. */
const alike = (item: ExplainedItem): string =>
  JSON.stringify([
    ...[item.account, item.class, signOf(item.amount), item.charge == null ? null : signOf(item.charge)],
    ...[isUndecided(item), item.isByAmount ?? false],
    ...[
      item.explanation?.reason,
      item.explanation?.explained_by,
      item.explanation?.charge != null,
      item.explanation?.is_own,
    ],
  ]);

const signOf = (amount: bigint): number => Number(amount > 0n) - Number(amount < 0n);

/**
 * Its key is that of its first member and a digest of all: with it a person names exactly what was shown. With one member more, less or of
 * another amount it is another group.
 */
function groupOf(items: ExplainedItem[]): ShownItem {
  const members = items.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const [first, ...others] = members;
  if (!first) throw new Error("a group has members");
  if (others.length === 0) return first;
  return {
    ...{ ...first, members, key: `${GROUP}${first.key}:${digestOf(members)}` },
    amount: sumOf(members),
    charge: first.charge == null ? null : members.reduce((sum, { charge }) => sum + (charge ?? 0n), 0n),
  };
}

const GROUP = "group:";
export const isGroupKey = (key: string): boolean => key.startsWith(GROUP);

function digestOf(members: Omit<Item, "by" | "isSettled">[]): string {
  const all = members.map(({ key, class: kind, account, amount, charge = null }) =>
    [key, kind, account, amount, charge].map(String),
  );
  return createHash("sha256").update(JSON.stringify(all)).digest("base64url");
}

export const membersOf = (item: ShownItem): ExplainedItem[] => item.members ?? [item];

/** Why a day with these cannot be closed, whatever their reasons. */
export function tooLarge(shown: ShownItem[]): string | null {
  const items = shown.flatMap(membersOf);
  if (items.length > DAY_VOUCHED_MAX)
    return `The difference has ${items.length} lines that a person vouches for, and a day is closed with at most ${DAY_VOUCHED_MAX}.`;
  if (shown.length <= DAY_ITEMS_MAX) return null;
  // What does not fit is not shown, so these sums are known from nowhere else.
  const classes = [...Map.groupBy(items.filter(takesReason), (item) => item.class)];
  const sums = classes.map(([kind, of]) => `${kind} ${kobo(sumOf(of))}`);
  return `The difference has ${shown.length} lines and groups that a person vouches for, and at most ${DAY_ITEMS_MAX} fit. Give all of a class one reason: ${sums.join(", ")}.`;
}

const sumOf = (items: Item[]): bigint => items.reduce((sum, { amount }) => sum + amount, 0n);

const sizeOf = (amount: bigint) => (amount < 0n ? -amount : amount);

export const largestFirst = <Sized extends { amount: bigint }>(items: Sized[]): Sized[] =>
  items.toSorted((a, b) => Number(sizeOf(b.amount) - sizeOf(a.amount)));
