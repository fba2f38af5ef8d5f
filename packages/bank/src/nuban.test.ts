import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkDigit, isNuban, nuban } from "./nuban.ts";

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`));
const bankCodes = fc.oneof(digits(3), digits(6));
const serials = digits(9);

describe("the check digit", () => {
  test.each([
    ["011", "000001457", 9],
    ["011", "000000022", 0],
  ])("of bank %s, serial %s is %i", (bankCode, serial, expected) =>
    expect(checkDigit(bankCode, serial)).toBe(expected),
  );

  test("is always one digit", () => {
    fc.assert(
      fc.property(bankCodes, serials, (bankCode, serial) => {
        expect(String(checkDigit(bankCode, serial))).toMatch(/^[0-9]$/);
      }),
    );
  });

  test("brings the weighted sum, itself counted once, to a multiple of ten", () => {
    fc.assert(
      fc.property(digits(3), serials, (bankCode, serial) => {
        const weights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3, 1];
        const number = [...bankCode, ...nuban({ bankCode, serial })].map(Number);
        expect(weights.reduce((sum, weight, position) => sum + weight * (number[position] ?? Number.NaN), 0) % 10).toBe(
          0,
        );
      }),
    );
  });

  test("is the same whether a three-digit code is padded to six or not", () => {
    fc.assert(
      fc.property(digits(3), serials, (bankCode, serial) => {
        expect(checkDigit(`000${bankCode}`, serial)).toBe(checkDigit(bankCode, serial));
      }),
    );
  });

  test.each(["", "1", "01", "0111", "00000011", "01a", "٠١١"])("a bank code %j is refused", (bankCode) =>
    expect(() => checkDigit(bankCode, "000000022")).toThrow(RangeError),
  );

  test.each(["", "22", "0000000022", "00000002x", " 00000022"])("a serial %j is refused", (serial) =>
    expect(() => checkDigit("011", serial)).toThrow(RangeError),
  );
});

describe("an account number", () => {
  test("of a bank is valid for that bank, and invalid with any other check digit", () => {
    fc.assert(
      fc.property(bankCodes, serials, fc.integer({ min: 1, max: 9 }), (bankCode, serial, error) => {
        const accountNumber = nuban({ bankCode, serial });
        const other = `${serial}${(Number(accountNumber.slice(9)) + error) % 10}`;
        expect([isNuban(bankCode, accountNumber), isNuban(bankCode, other)]).toEqual([true, false]);
      }),
    );
  });

  test("with one mistyped digit is refused, because 3 and 7 are coprime with 10", () => {
    fc.assert(
      fc.property(
        bankCodes,
        serials,
        fc.nat(8),
        fc.integer({ min: 1, max: 9 }),
        (bankCode, serial, position, error) => {
          const mistyped = [...nuban({ bankCode, serial })].map((digit, at) =>
            at === position ? (Number(digit) + error) % 10 : digit,
          );
          expect(isNuban(bankCode, mistyped.join(""))).toBe(false);
        },
      ),
    );
  });

  test("with two adjacent digits swapped is refused exactly where their weights differ", () => {
    fc.assert(
      fc.property(bankCodes, serials, fc.nat(7), (bankCode, serial, position) => {
        const [before, left, right, after] = [
          serial.slice(0, position),
          serial[position],
          serial[position + 1],
          serial.slice(position + 2),
        ];
        const swapped = `${before}${right}${left}${after}${checkDigit(bankCode, serial)}`;
        const sameWeight = position % 3 === 2;
        const undetected = sameWeight || (Number(left) - Number(right)) % 5 === 0;
        expect(isNuban(bankCode, swapped)).toBe(undetected);
      }),
    );
  });

  test.each(["", "000000022", "00000000220", "000000022O", "0000000220\n", "-000000220"])(
    "%j is refused",
    (accountNumber) => expect(isNuban("011", accountNumber)).toBe(false),
  );
});
