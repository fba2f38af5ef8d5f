import { describe, expect, test } from "vitest";
import { addDays } from "./calendar.ts";
import { itemsOf, type SheetMovement } from "./sheet.ts";

const [ACCOUNT, FRIDAY, TUESDAY] = ["1234567890", "2026-10-02", "2026-10-06"];
const movement = (given: Partial<SheetMovement> = {}): SheetMovement => ({
  ...{ key: "int_1", account: ACCOUNT, on: FRIDAY, amount: 100n, kept: 0n, isVoid: false, missingAfter: 4 },
  ...{ match: null, by: null, ...given },
});
/** What a movement in no match is on its day, with statements up to this one. */
const classOn = (coveredTo: string | undefined, given: Partial<SheetMovement> = {}) =>
  itemsOf({
    ...{ day: FRIDAY, lines: [], charges: new Map(), movements: [movement(given)], ledgerChange: 100n },
    coveredTo: new Map(coveredTo === undefined ? [] : [[ACCOUNT, coveredTo]]),
  }).map(({ class: kind }) => kind);

describe("what our books have and the bank has not booked", () => {
  test.each([1, 2, 4, 14])("is under way until the statements cover %i days after it, and missing then", (days) => {
    expect(classOn(addDays(FRIDAY, days - 1), { missingAfter: days })).toEqual(["timing"]);
    expect(classOn(addDays(FRIDAY, days), { missingAfter: days })).toEqual(["books_only"]);
    expect(classOn(addDays(FRIDAY, days + 1), { missingAfter: days })).toEqual(["books_only"]);
  });
  test("of Friday evening is missing after a Monday without banking only once Tuesday's statement lacks it", () => {
    expect([classOn(FRIDAY), classOn("2026-10-05"), classOn(TUESDAY)]).toEqual([
      ["timing"],
      ["timing"],
      ["books_only"],
    ]);
  });
  test("is under way in an account without a statement, and missing in one that has ended", () => {
    expect([classOn(undefined), classOn("infinity")]).toEqual([["timing"], ["books_only"]]);
  });
});
