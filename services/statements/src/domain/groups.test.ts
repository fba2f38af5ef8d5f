import { DAY_ITEMS_MAX, DAY_VOUCHED_MAX } from "@collect/contracts";
import { expect, test } from "vitest";
import { type ExplainedItem, inGroups, membersOf, type ShownItem, tooLarge } from "./groups.ts";

const item = (n: number, given: Partial<ExplainedItem> = {}): ExplainedItem => ({
  ...{ key: `line:${n}`, class: "bank_only", account: "1", amount: BigInt(n + 1) },
  ...{ isSettled: false, by: null, charge: null, explanation: undefined, ...given },
});
const many = (count: number, given: (n: number) => Partial<ExplainedItem> = () => ({})) =>
  Array.from({ length: count }, (_, n) => item(n, given(n)));
const reason = (text: string, explained_by = "ada") => ({ reason: text, explained_by, charge: null, is_own: false });
const groupsOf = (shown: ShownItem[]) => shown.filter(({ members }) => members);
const sum = (items: { amount: bigint }[]) => items.reduce((total, { amount }) => total + amount, 0n);

test("what fits is shown as it is, and of one line more the smaller half is a group", () => {
  const fits = many(DAY_ITEMS_MAX);
  expect(inGroups(fits)).toBe(fits);
  const [group, ...listed] = inGroups(many(DAY_ITEMS_MAX + 1));
  expect([group?.members?.length, listed.length]).toEqual([1_001, 1_000]);
  expect(listed.every(({ amount }) => amount > 1_001n)).toBe(true);
});

test("the sheet keeps within its room, and each line and each kobo is in it once", () => {
  const items = many(9_000, (n) => ({
    ...{ account: String(n % 5), class: n % 3 ? "bank_only" : "books_only", amount: BigInt(n % 2 ? n : -n) },
    explanation: n % 7 ? undefined : reason(`reason ${n % 4}`),
  }));
  const shown = inGroups(items);
  expect(shown.length).toBeLessThanOrEqual(DAY_ITEMS_MAX);
  expect(sum(shown)).toBe(sum(items));
  expect(new Set(shown.flatMap(membersOf)).size).toBe(items.length);
});

test("a group has one account, class, sign, reason and person, and is charges, own funds or none", () => {
  const kinds: Partial<ExplainedItem>[] = [
    ...[{}, { account: "2" }, { class: "books_only" as const }, { amount: -1n }, { explanation: reason("A") }],
    ...[{ explanation: reason("A", "bola") }, { explanation: reason("B") }],
    ...[{ charge: -1n }, { charge: 1n }, { charge: -1n, explanation: { ...reason("A"), charge: -1n } }],
    { explanation: { ...reason("A"), is_own: true } },
  ];
  const shown = inGroups(many(20_000, (n) => ({ amount: 1n, ...kinds[n % kinds.length] })));
  const groups = groupsOf(shown);
  expect(groups.length).toBe(kinds.length);
  for (const { members = [], amount, charge } of groups) {
    const of = members.map(({ key, ...rest }) => JSON.stringify(rest, (_, value) => String(value)));
    expect(new Set(of).size).toBe(1);
    expect(amount).toBe(sum(members));
    expect(charge).toBe(members[0]?.charge == null ? null : members[0].charge * BigInt(members.length));
  }
});

test("the key of a group is of exactly these lines, and a reason does not change it", () => {
  const items = many(3_000);
  const keyOf = (of: ExplainedItem[]) => groupsOf(inGroups(of))[0]?.key;
  expect(keyOf(items)).toMatch(/^group:line:0:[\w-]{43}$/);
  expect(keyOf(items.toReversed())).toBe(keyOf(items));
  expect(keyOf(items.map((each) => ({ ...each, explanation: reason("A") })))).toBe(keyOf(items));
  // One has left and one of the same amount has joined: the sum and the count are the same.
  const others = items.with(7, item(7, { key: "line:9999" }));
  expect(keyOf(others)).not.toBe(keyOf(items));
  const shifted = items.with(7, item(7, { amount: 9n })).with(8, item(8, { amount: 8n }));
  expect(keyOf(shifted)).not.toBe(keyOf(items));
});

test("what was matched by hand is in no group", () => {
  const handmade = Array.from({ length: 1_500 }, (_, n) =>
    item(n, { key: `match:${n}`, class: "by_hand", amount: 0n, by: "ada", isSettled: true }),
  );
  const shown = inGroups([...handmade, ...many(3_000)]);
  expect(shown.filter(({ by }) => by === "ada")).toEqual(handmade);
});

test("a day is too large with more lines than are closed at once, or with more reasons than fit", () => {
  expect(tooLarge(inGroups(many(DAY_VOUCHED_MAX)))).toBeNull();
  expect(tooLarge(inGroups(many(DAY_VOUCHED_MAX + 1)))).toMatch(/^The difference has 100001 lines/);
  const reasons = inGroups(many(6_000, (n) => ({ explanation: reason(`reason ${n % 2_500}`) })));
  expect(tooLarge(reasons)).toMatch(/Give all of a class one reason: bank_only 180030\.00\.$/);
});
