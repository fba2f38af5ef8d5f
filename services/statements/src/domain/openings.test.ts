import { expect, test } from "vitest";
import { type Opening, openingItems } from "./openings.ts";

const FIRST = "2026-10-01";
const opening = (account: string, kobo: bigint, given: Partial<Opening> = {}): Opening => ({
  ...{ account, on: FIRST, opening: kobo, established: 0n, ...given },
});
const found = (openings: Opening[], had = 0n) =>
  openingItems({ openings, first: FIRST, had }).map(({ key, amount }) => [key, amount]);

test("an account comes in with its opening balance, and one that begins with nothing is no difference", () => {
  expect(found([opening("1", 700n), opening("2", 0n), opening("3", -5n)])).toEqual([
    ["opening:1", 700n],
    ["opening:3", -5n],
  ]);
});

test("what our books had before the first day of all is in the largest balance of that day, once, whichever comes first", () => {
  const all = [opening("1", 300n), opening("2", 700n), opening("3", 900n, { on: "2026-10-02" })];
  const expected = [
    ["opening:1", 300n],
    ["opening:2", 600n],
    ["opening:3", 900n],
  ];
  expect(found(all, 100n)).toEqual(expected);
  expect(found(all.toReversed(), 100n)).toEqual(expected.toReversed());
  expect(found([opening("2", 100n)], 100n)).toEqual([]);
  expect(found([opening("2", 70n)], 100n)).toEqual([["opening:2", -30n]]);
});

test("what days were closed with is not asked for again, and only what became known since is", () => {
  expect(found([opening("1", 700n, { established: 700n })])).toEqual([]);
  expect(found([opening("1", 700n, { established: 600n })], 100n)).toEqual([]);
  expect(found([opening("1", 700n, { established: 600n })], 60n)).toEqual([["opening:1", 40n]]);
  const [item] = openingItems({ openings: [opening("1", 700n, { established: 600n })], first: FIRST, had: 60n });
  expect(item?.what).toBe(
    "the opening balance of 2026-10-01, 7.00, less 0.60 that our books had, less 6.00 of days that are closed",
  );
});
