import { expect, test } from "vitest";
import { match, type OpenLine, type OpenMovement } from "./matching.ts";

let ids = 0n;
const line = (given: Partial<OpenLine>): OpenLine => ({
  ...{ id: ++ids, bookedOn: "2026-10-05", amount: 100n, sessionId: null, references: [] },
  ...given,
});
const movement = (given: Partial<OpenMovement>): OpenMovement => ({
  ...{ key: `int_${++ids}`, on: "2026-10-05", amount: 100n, sessionId: null, references: [], settlementId: null },
  ...given,
});
const S1 = "1".repeat(30);
const S2 = "2".repeat(30);

/** The evidence, the amounts of the lines, and those of the movements, of each match. */
function matched(lines: OpenLine[], movements: OpenMovement[]) {
  return match({ lines, movements }).map((found) => [
    found.by,
    lines.filter(({ id }) => found.lines.includes(id)).map(({ amount }) => Number(amount)),
    movements.filter(({ key }) => found.movements.includes(key)).map(({ amount }) => Number(amount)),
  ]);
}

test("the session id decides, whatever else has the same amount", () => {
  const lines = [line({ sessionId: S1 }), line({ sessionId: S2 })];
  const movements = [movement({ sessionId: S2 }), movement({ sessionId: S1 })];
  const [first, second] = match({ lines, movements });
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

test("the order of the input changes nothing, and a second run finds nothing more", () => {
  const lines = Array.from({ length: 50 }, (_, n) =>
    line({ amount: BigInt(n % 7), bookedOn: `2026-10-0${1 + (n % 5)}` }),
  );
  const movements = Array.from({ length: 50 }, (_, n) =>
    movement({ amount: BigInt(n % 7), on: `2026-10-0${1 + (n % 4)}` }),
  );
  const found = match({ lines, movements });
  expect(match({ lines: lines.toReversed(), movements: movements.toReversed() })).toEqual(found);
  const rest = {
    lines: lines.filter(({ id }) => !found.some((each) => each.lines.includes(id))),
    movements: movements.filter(({ key }) => !found.some((each) => each.movements.includes(key))),
  };
  expect(match(rest)).toEqual([]);
});
