import fc from "fast-check";
import { expect, test } from "vitest";
import { reportedKobo } from "./naira.ts";

const BIGINT_MAX = 2n ** 63n - 1n;
const amounts = fc.bigInt({ min: 0n, max: BIGINT_MAX });
const whole = (kobo: bigint) => (kobo / 100n).toString();
const cents = (kobo: bigint) => (kobo % 100n).toString().padStart(2, "0");

/** Every form in which a bank may write the same amount. */
const FORMS: Record<string, (kobo: bigint) => string> = {
  plain: (kobo) => `${whole(kobo)}.${cents(kobo)}`,
  "with separators": (kobo) => `${whole(kobo).replace(/\B(?=(\d{3})+$)/g, ",")}.${cents(kobo)}`,
  "with more zeros": (kobo) => `${whole(kobo)}.${cents(kobo)}00`,
  "without needless zeros": (kobo) =>
    cents(kobo) === "00" ? whole(kobo) : `${whole(kobo)}.${cents(kobo).replace(/0$/, "")}`,
  "padded by spaces": (kobo) => ` ${whole(kobo)}.${cents(kobo)} `,
  scientific: (kobo) => {
    const digits = `${whole(kobo)}${cents(kobo)}`;
    return `${digits[0]}.${digits.slice(1)}E${digits.length - 3}`;
  },
};

test.each(Object.entries(FORMS))("an amount %s is the same kobo", (_name, form) => {
  fc.assert(
    fc.property(amounts, (kobo) => {
      expect(reportedKobo(form(kobo))).toBe(kobo);
    }),
  );
});

test("a number is the same kobo as its text, wherever numbers are exact", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (kobo) => {
      expect(reportedKobo(Number(kobo) / 100)).toBe(kobo);
    }),
  );
});

test.each([
  ["100", 10_000n],
  ["1.2", 120n],
  [10593.0, 1_059_300n],
  ["2000.45", 200_045n],
  ["1.0593E7", 1_059_300_000n],
  [0, 0n],
  ["0.0", 0n],
])("%j, as banks were seen to write it, is %s kobo", (amount, kobo) => expect(reportedKobo(amount)).toBe(kobo));

test.each([
  -1,
  "-1",
  "1.005",
  1.005,
  "1,00",
  "1,0000",
  "1.2.3",
  "",
  " ",
  "₦1",
  "1e-3",
  "1E123",
  "NaN",
  Number.NaN,
  "٣",
])("%j is refused, never rounded", (amount) => expect(reportedKobo(amount)).toBeUndefined());

test("an amount of any size is taken: what does not fit is the largest that does", () => {
  for (const amount of ["99999999999999999999999", "9E30", 1e30]) expect(reportedKobo(amount)).toBe(BIGINT_MAX);
  expect(reportedKobo(1e14)).toBe(10_000_000_000_000_000n);
});
