import { expect, test } from "vitest";
import { typedAmount } from "./typed-amount.ts";

test.each([
  ["2500", 250_000n],
  ["2,500", 250_000n],
  ["2,500.00", 250_000n],
  ["2500.5", 250_050n],
  [" ₦1,234,567.89 ", 123_456_789n],
  ["₦ 100", 10_000n],
  ["007", 700n],
  ["0.01", 1n],
])("%s is parsed", (text, kobo) => expect(typedAmount(text)).toBe(kobo));

test.each([
  "",
  "0",
  "0.00",
  "2,50",
  "25,00,000",
  ",500",
  "2500,",
  "1.234",
  "1 000",
  "-5",
  "1e3",
  "NaN",
  "₦",
  "12345678901234567",
])("%j is rejected", (text) => expect(typedAmount(text)).toBe(undefined));
