import { expect, test } from "vitest";
import { soughtOf } from "./sought.ts";

test.each([
  ["2500", 250_000n, 250_099n],
  ["2,500", 250_000n, 250_099n],
  ["2,500.09", 250_009n, 250_009n],
  ["2500.00", 250_000n, 250_000n],
  ["2500.5", 250_050n, 250_059n],
  ["₦1,234,567.89", 123_456_789n, 123_456_789n],
  ["NGN 20", 2_000n, 2_099n],
  ["0", 0n, 99n],
])("%s is an amount: kobo that were not typed can be any", (typed, from, to) => {
  expect(soughtOf(typed)).toEqual({ text: typed, amounts: { from, to } });
});

test.each(["25,00", "2500.123", "2500.", "-5", "order-2500", "1e9", "٢٥٠٠", "9999999999999"])("%s is none", (typed) => {
  expect(soughtOf(typed)).toEqual({ text: typed, amounts: null });
});

test("text is compared in the form in which names are stored, and text that cannot be stored is in no record", () => {
  expect(soughtOf("Ade\u0301  Obi")).toEqual({ text: "Adé Obi", amounts: null });
  expect(soughtOf("a\u0000")).toBeUndefined();
  expect(soughtOf("\ud800")).toBeUndefined();
});
