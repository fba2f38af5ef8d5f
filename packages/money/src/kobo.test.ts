import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatNaira, MAX_KOBO, naira, parseNaira, percentage, shareOf } from "./kobo.ts";

const amounts = fc.bigInt({ min: 0n, max: MAX_KOBO });

describe("naira on the wire", () => {
  test("every amount survives the wire as a JSON number, exact to the kobo", () => {
    fc.assert(
      fc.property(amounts, (kobo) => {
        expect(parseNaira(JSON.parse(JSON.stringify(naira(kobo))))).toBe(kobo);
      }),
      { numRuns: 2_000 },
    );
  });

  test("the JSON number never has more than two decimals or an exponent", () => {
    fc.assert(
      fc.property(amounts, (kobo) => {
        expect(JSON.stringify(naira(kobo))).toMatch(/^\d+(\.\d{1,2})?$/);
      }),
    );
  });

  test.each([
    ["2500.73", 250_073n],
    [2500.7, 250_070n],
    ["0.05", 5n],
    [0.29, 29n],
    [1.1, 110n],
    [0, 0n],
  ])("%s is %s kobo", (wire, kobo) => expect(parseNaira(wire)).toBe(kobo));

  test.each([
    -1,
    1.005,
    0.1 + 0.2,
    1e21,
    1e-7,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "",
    " 1",
    "1.",
    "+1",
    "1e3",
    "01",
    "0x1",
    "1,000",
    1e14,
  ])("%s is refused, never rounded", (wire) => expect(parseNaira(wire)).toBeUndefined());
});

describe("shares", () => {
  test("a share is the nearest kobo, halves upward, and never more than the amount", () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (kobo, basisPoints) => {
        const share = shareOf(kobo, basisPoints);
        const error = share * 10_000n - kobo * BigInt(basisPoints);
        expect(share >= 0n && share <= kobo && error > -5_000n && error <= 5_000n).toBe(true);
      }),
    );
  });

  test("90 % and 110 % are rounded to the kobo", () => {
    expect(percentage(1_005n, 90)).toBe(905n);
    expect(percentage(1_005n, 110)).toBe(1_106n);
  });
});

test("naira for people have thousands separators and kobo", () => {
  expect([formatNaira(0n), formatNaira(5n), formatNaira(250_073n), formatNaira(-99_999_999_999n)]).toEqual([
    "₦0.00",
    "₦0.05",
    "₦2,500.73",
    "-₦999,999,999.99",
  ]);
});
