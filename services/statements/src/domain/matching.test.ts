import { expect, test } from "vitest";
import { match, type OpenLine, type OpenMovement } from "./matching.ts";

let ids = 0n;
const line = (given: Partial<OpenLine>): OpenLine => ({
  ...{ id: ++ids, bookedOn: "2026-10-05", amount: 100n, sessionId: null, references: [], narration: "" },
  ...{ isOffered: false, isOwn: false, isClosed: false, match: null },
  ...given,
});
const movement = (given: Partial<OpenMovement>): OpenMovement => ({
  ...{ key: `int_${++ids}`, on: "2026-10-05", bookedOn: given.on ?? "2026-10-05", amount: 100n, sessionId: null },
  ...{ references: [], settlementId: null, isClosed: false, match: null },
  ...given,
});
const S1 = "1".repeat(30);
const usual = { coveredFrom: "2026-10-01", coveredTo: "2026-10-31", lastDay: null, ownReferences: false };
const S2 = "2".repeat(30);

/** The evidence, the amounts of the lines, and those of the movements, of each match. */
function matched(lines: OpenLine[], movements: OpenMovement[], given: Partial<Parameters<typeof match>[0]> = {}) {
  return match({ lines, movements, isAll: true, ...usual, ...given }).map((found) => [
    found.by,
    lines.filter(({ id }) => found.lines.includes(id)).map(({ amount }) => Number(amount)),
    movements.filter(({ key }) => found.movements.includes(key)).map(({ amount }) => Number(amount)),
  ]);
}

test("the session id decides, whatever else has the same amount", () => {
  const lines = [line({ sessionId: S1 }), line({ sessionId: S2 })];
  const movements = [movement({ sessionId: S2 }), movement({ sessionId: S1 })];
  const [first, second] = match({ lines, movements, isAll: true, ...usual });
  expect(first).toMatchObject({ lines: [lines[0]?.id], movements: [movements[1]?.key], by: "session" });
  expect(second).toMatchObject({ lines: [lines[1]?.id], movements: [movements[0]?.key], by: "session" });
});

test("a credit with the bank's fee beside it is the net", () => {
  const lines = [line({ amount: 100n, sessionId: S1 }), line({ amount: -2n, sessionId: S1 })];
  expect(matched(lines, [movement({ amount: 98n, sessionId: S1 })])).toEqual([["session", [100, -2], [98]]]);
});

test("many movements that the bank settled in one sum are one match", () => {
  const movements = [30n, 50n, 20n].map((amount) => movement({ amount, settlementId: "S" }));
  expect(matched([line({ references: ["x", "S"] })], movements)).toEqual([["settlement", [100], [30, 50, 20]]]);
});

test("a line that the bank booked twice is left over once", () => {
  const lines = [line({ sessionId: S1 }), line({ sessionId: S1 })];
  expect(matched(lines, [movement({ sessionId: S1 })])).toEqual([["session", [100], [100]]]);
});

test("a credit and its reversal are two lines, of which the credit is ours", () => {
  const lines = [line({ sessionId: S1, amount: -100n }), line({ sessionId: S1 })];
  expect(matched(lines, [movement({ sessionId: S1 })])).toEqual([["session", [100], [100]]]);
});

test("the same id with another amount is a match with a difference", () => {
  expect(matched([line({ amount: 90n, references: ["B1"] })], [movement({ references: ["B1"] })])).toEqual([
    ["reference", [90], [100]],
  ]);
});

test("by the amount only what is near in time, and not what has two session ids", () => {
  expect(matched([line({})], [movement({ on: "2026-10-08" })])).toEqual([["amount", [100], [100]]]);
  expect(matched([line({})], [movement({ on: "2026-10-09" })])).toEqual([]);
  expect(matched([line({ sessionId: S1 })], [movement({ sessionId: S2 })])).toEqual([]);
  expect(matched([line({ sessionId: S1 })], [movement({})])).toEqual([["amount", [100], [100]]]);
});

test("by the amount only what has no two ids of the same kind: two different ones are two transfers", () => {
  expect(matched([line({ references: ["B1"] })], [movement({ references: ["B2"] })])).toEqual([]);
  expect(matched([line({ references: ["trf_1"] })], [movement({ references: ["trf_2"] })])).toEqual([]);
  // The bank's own reference of a payout, which we know by ours; the session id in a column of references is no other one.
  expect(matched([line({ references: ["FT1"] })], [movement({ references: ["trf_2"] })])).toHaveLength(1);
  expect(matched([line({ sessionId: S1, references: [S1] })], [movement({ references: ["B2"] })])).toHaveLength(1);
});

test("by the amount nothing that a person calls our own money, which an id may still contradict", () => {
  for (const ownReferences of [false, true])
    expect(matched([line({ isOwn: true })], [movement({})], { ownReferences })).toEqual([]);
  expect(matched([line({ isOwn: true, references: ["B1"] })], [movement({ references: ["B1"] })])).toEqual([
    ["reference", [100], [100]],
  ]);
});

test("by the amount only once the statement of the movement's day is here, which may have its own line", () => {
  const later = movement({ on: "2026-10-06" });
  expect(matched([line({})], [later], { coveredTo: "2026-10-05" })).toEqual([]);
  expect(matched([line({})], [movement({ bookedOn: "2026-10-06" })], { coveredTo: "2026-10-05" })).toEqual([]);
  expect(matched([line({})], [later], { coveredTo: "2026-10-06" })).toEqual([["amount", [100], [100]]]);
  const own = line({ bookedOn: "2026-10-06" });
  expect(match({ lines: [line({}), own], movements: [later], isAll: true, ...usual })).toMatchObject([
    { lines: [own.id] },
  ]);
});

test("by the amount nothing is taken that is of a day before the first statement, or after the end of the account; an id still says so", () => {
  const early: Partial<OpenMovement>[] = [{ on: "2026-10-04" }, { on: "2026-10-04", bookedOn: "2026-10-05" }];
  const late: Partial<OpenMovement>[] = [{ on: "2026-10-06" }, { on: "2026-10-06", bookedOn: "2026-10-05" }];
  const from = { coveredFrom: "2026-10-05" };
  const ended = { coveredTo: "infinity", lastDay: "2026-10-05" };
  for (const [days, beyond] of [[from, early] as const, [ended, late] as const])
    for (const given of beyond) {
      expect(matched([line({})], [movement(given)], days)).toEqual([]);
      const named = { references: ["B1"] };
      expect(matched([line(named)], [movement({ ...given, ...named })], days)).toEqual([["reference", [100], [100]]]);
      expect(matched([line({})], [movement(given), movement({})], days)).toEqual([["amount", [100], [100]]]);
    }
  // Received after its last day, it happened on it.
  expect(matched([line({})], [movement({ bookedOn: "2026-10-06" })], ended)).toEqual([["amount", [100], [100]]]);
});

test("by the amount nothing is added to a closed day, and what it was closed with stays unless an id says otherwise", () => {
  expect(matched([line({ isClosed: true })], [movement({})])).toEqual([]);
  expect(matched([line({})], [movement({ isClosed: true })])).toEqual([]);
  const closed = line({ isClosed: true, match: 7n });
  const given = { match: 7n, references: ["B1"] };
  expect(matched([closed, line({ amount: 100n })], [movement(given)])).toEqual([["amount", [100], [100]]]);
  const named = line({ references: ["B1"], bookedOn: "2026-10-07" });
  expect(match({ lines: [closed, named], movements: [movement(given)], isAll: true, ...usual })).toMatchObject([
    { lines: [named.id], by: "reference" },
  ]);
});

test("a session id that is not the 30 digits of NIP is found among the references and in the narration", () => {
  const sessionId = "09FG240119090404935XTTGA9";
  const inNarration = line({ narration: `FROM 701/null/AT124_TRF|2MPT1xc5r|1748255361543127040/${sessionId}` });
  for (const given of [inNarration, line({ references: [sessionId] })])
    expect(matched([given], [movement({ sessionId })])).toEqual([["session", [100], [100]]]);
});

test("of a part of what is open only pairs of the same amount with the same id are matched: what was left out may change all else", () => {
  const pair = [line({ sessionId: S1 }), line({ references: ["B1"] })];
  const ofPair = [movement({ sessionId: S1 }), movement({ references: ["B1"] })];
  const rest = [line({ references: ["S"] }), line({ amount: 90n, references: ["B2"] }), line({ amount: 7n })];
  const split = [line({ amount: 60n, sessionId: S2 }), line({ amount: 40n, sessionId: S2 })];
  const ofRest = [
    ...[movement({ amount: 30n, settlementId: "S" }), movement({ amount: 70n, settlementId: "S" })],
    ...[movement({ references: ["B2"] }), movement({ sessionId: S2 }), movement({ amount: 7n })],
  ];
  const lines = [...pair, ...rest, ...split];
  const given = { lines, movements: [...ofPair, ...ofRest], ...usual };
  expect(match({ ...given, isAll: false })).toEqual([
    { lines: [pair[0]?.id], movements: [ofPair[0]?.key], by: "session" },
    { lines: [pair[1]?.id], movements: [ofPair[1]?.key], by: "reference" },
  ]);
  expect(match({ ...given, isAll: true }).flatMap((found) => found.lines)).toHaveLength(lines.length);
});

test("the order of the input changes nothing, and a second run finds nothing more", () => {
  const lines = Array.from({ length: 50 }, (_, n) =>
    line({ amount: BigInt(n % 7), bookedOn: `2026-10-0${1 + (n % 5)}` }),
  );
  const movements = Array.from({ length: 50 }, (_, n) =>
    movement({ amount: BigInt(n % 7), on: `2026-10-0${1 + (n % 4)}` }),
  );
  const found = match({ lines, movements, isAll: true, ...usual });
  expect(match({ lines: lines.toReversed(), movements: movements.toReversed(), isAll: true, ...usual })).toEqual(found);
  const rest = {
    ...{ isAll: true, ...usual },
    lines: lines.filter(({ id }) => !found.some((each) => each.lines.includes(id))),
    movements: movements.filter(({ key }) => !found.some((each) => each.movements.includes(key))),
  };
  expect(match(rest)).toEqual([]);
});
