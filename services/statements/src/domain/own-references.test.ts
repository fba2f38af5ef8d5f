import { describe, expect, test } from "vitest";
import { match, type OpenLine, type OpenMovement } from "./matching.ts";

/** Where the references on the lines are the bank's own. */

const [S1, S2] = ["1".repeat(30), "2".repeat(30)];
let ids = 0n;
const line = (given: Partial<OpenLine> = {}): OpenLine => ({
  ...{ id: ++ids, bookedOn: "2026-10-05", amount: 100n, sessionId: null, references: [`FT${ids}`], narration: "" },
  ...{ isOffered: false, isOwn: false, isClosed: false, match: null },
  ...given,
});
const movement = (given: Partial<OpenMovement> = {}): OpenMovement => ({
  ...{ key: `int_${++ids}`, on: "2026-10-05", bookedOn: given.on ?? "2026-10-05", amount: 100n, sessionId: S2 },
  ...{ references: [`BNK${ids}`], settlementId: null, isClosed: false, match: null },
  ...given,
});
const covered = { coveredFrom: "2026-10-01", coveredTo: "2026-10-31", lastDay: null };
const find = (lines: OpenLine[], movements: OpenMovement[], given: Partial<Parameters<typeof match>[0]> = {}) =>
  match({ lines, movements, ...covered, ownReferences: true, isAll: true, ...given });
const isPair = (found: ReturnType<typeof find>) => found.length === 1 && found[0]?.by === "amount";

describe("a line matches by its amount, whatever the bank's reference is", () => {
  test("if the setting says so, and not otherwise", () => {
    const [credit, reported] = [line(), movement()];
    expect(find([credit], [reported])).toEqual([{ lines: [credit.id], movements: [reported.key], by: "amount" }]);
    expect(find([credit], [reported], { ownReferences: false })).toEqual([]);
  });
  test("unless it names another session, another payout, or was offered under another id", () => {
    expect(find([line({ sessionId: S1 })], [movement()])).toEqual([]);
    expect(isPair(find([line({ sessionId: S1 })], [movement({ sessionId: null })]))).toBe(true);
    expect(find([line({ references: ["FT1", "trf_1"] })], [movement({ references: ["trf_2"] })])).toEqual([]);
    expect(isPair(find([line()], [movement({ references: ["trf_2"] })]))).toBe(true);
    expect(find([line({ references: ["FT1", "BNK1"], isOffered: true })], [movement()])).toEqual([]);
  });
  test("and an id that we know goes before it", () => {
    const [named, other] = [movement({ references: ["BNK7"] }), movement()];
    const credit = line({ references: ["FT1", "BNK7"] });
    expect(find([credit], [other, named])).toEqual([{ lines: [credit.id], movements: [named.key], by: "reference" }]);
  });
  test("within three days, and of the same sign", () => {
    for (const [on, isFound] of [
      ["2026-10-02", true],
      ["2026-10-08", true],
      ["2026-10-01", false],
      ["2026-10-09", false],
    ] as const)
      expect([on, isPair(find([line()], [movement({ on })]))]).toEqual([on, isFound]);
    expect(find([line()], [movement({ amount: -100n })])).toEqual([]);
  });
});

describe("only what nothing else can be meant by is matched", () => {
  test("of two lines and a movement, a line and two movements, or two of both nothing is", () => {
    const rivals = [line({ bookedOn: "2026-10-08" }), movement({ on: "2026-10-02" })] as const;
    expect(find([line(), rivals[0]], [movement()])).toEqual([]);
    expect(find([line()], [movement(), rivals[1]])).toEqual([]);
    expect(find([line(), rivals[0]], [movement(), rivals[1]])).toEqual([]);
  });
  test("another amount, and what is further away or has another session, is no rival", () => {
    const lines = [line(), line({ amount: 101n }), line({ bookedOn: "2026-10-09" }), line({ sessionId: S1 })];
    expect(isPair(find(lines, [movement(), movement({ on: "2026-10-30" })]))).toBe(true);
  });
  test("what is of a closed day is a rival, and is not matched itself", () => {
    for (const isClosed of [true, false]) {
      const [credit, reported] = [line(), movement()];
      const found = isClosed ? 0 : 1;
      expect(find([line({ isClosed })], [reported])).toHaveLength(found);
      expect(find([credit], [movement({ isClosed })])).toHaveLength(found);
      expect(find([credit, line({ isClosed })], [reported])).toEqual([]);
      expect(find([credit], [reported, movement({ isClosed })])).toEqual([]);
    }
  });
  test("what a closed day was closed with stays, and is no rival", () => {
    const [closed, kept] = [line({ isClosed: true, match: 7n }), movement({ isClosed: true, match: 7n })];
    const [credit, reported] = [line({ bookedOn: "2026-10-06" }), movement({ on: "2026-10-06" })];
    expect(find([credit, closed], [reported, kept])).toEqual([
      { lines: [closed.id], movements: [kept.key], by: "amount" },
      { lines: [credit.id], movements: [reported.key], by: "amount" },
    ]);
  });
  test("a movement of a day without a statement is no rival, and one that came late is, but waits", () => {
    const coveredTo = "2026-10-05";
    expect(isPair(find([line()], [movement(), movement({ on: "2026-10-06" })], { coveredTo }))).toBe(true);
    const late = movement({ bookedOn: "2026-10-06" });
    expect(find([line()], [movement(), late], { coveredTo })).toEqual([]);
    expect(find([line()], [late], { coveredTo })).toEqual([]);
    expect(isPair(find([line()], [late], { coveredTo: "2026-10-06" }))).toBe(true);
  });
  test("of a day before the first statement is no pair, and still a rival", () => {
    const days = { coveredFrom: "2026-10-05" };
    const early = movement({ on: "2026-10-04" });
    expect(isPair(find([line()], [movement()], days))).toBe(true);
    expect(find([line()], [early], days)).toEqual([]);
    expect(find([line()], [early, movement()], days)).toEqual([]);
    expect(isPair(find([line()], [early]))).toBe(true);
  });
  test("where earlier days were left out, nothing whose rivals may be among them is", () => {
    expect(isPair(find([line()], [movement()], { allFrom: "2026-10-02" }))).toBe(true);
    expect(find([line()], [movement()], { allFrom: "2026-10-03" })).toEqual([]);
    expect(find([line()], [movement({ on: "2026-10-04" })], { allFrom: "2026-10-02" })).toEqual([]);
  });
});

test("whatever is given, in any order, the pairs are those that a comparison of all with all finds, and a second run finds no more", () => {
  // Few amounts and days, so that each has rivals.
  const [days, sessions] = [Array.from({ length: 20 }, (_, n) => `2026-10-${10 + n}`), [null, S1, S2]];
  const pick = <Value>(of: Value[], n: number) => of[n % of.length] as Value;
  const lines = Array.from({ length: 60 }, (_, n) =>
    line({ amount: BigInt(n % 13), bookedOn: pick(days, n * 7), sessionId: pick(sessions, n * 5) }),
  );
  const movements = Array.from({ length: 60 }, (_, n) =>
    movement({ amount: BigInt(n % 17), on: pick(days, n * 11), sessionId: pick(sessions, n * 2) }),
  );
  const canBe = (a: OpenLine, b: OpenMovement) =>
    a.amount === b.amount &&
    (a.sessionId === null || b.sessionId === null) &&
    Math.abs(Date.parse(a.bookedOn) - Date.parse(b.on)) <= 3 * 86_400_000;
  const byId = find(lines, movements).filter(({ by }) => by === "session");
  const left = lines.filter(({ id }) => !byId.some((each) => each.lines.includes(id)));
  const leftMovements = movements.filter(({ key }) => !byId.some((each) => each.movements.includes(key)));
  const expected = left.flatMap((each) => {
    const [only, ...others] = leftMovements.filter((other) => canBe(each, other));
    const isOnly = only && others.length === 0 && left.filter((other) => canBe(other, only)).length === 1;
    return isOnly ? [`${each.id} ${only.key}`] : [];
  });
  const pairs = (found: ReturnType<typeof find>) =>
    found.filter(({ by }) => by === "amount").map((each) => `${each.lines} ${each.movements}`);
  expect(expected.length).toBeGreaterThan(3);
  expect(pairs(find(lines, movements)).toSorted()).toEqual(expected.toSorted());
  const found = find(lines, movements);
  expect(find(lines.toReversed(), movements.toReversed())).toEqual(found);
  const isLeft = (row: OpenLine | OpenMovement) =>
    !found.some((each) => ("id" in row ? each.lines.includes(row.id) : each.movements.includes(row.key)));
  expect(find(lines.filter(isLeft), movements.filter(isLeft))).toEqual([]);
});
