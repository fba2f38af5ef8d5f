import { expect, test } from "vitest";
import { isReferenceOf, referenceOf } from "../src/reference.ts";

test("any 16 bytes become 22 characters", () => {
  expect(referenceOf("pay", new Uint8Array(16))).toBe(`pay_${"1".repeat(22)}`);
  expect(referenceOf("pay", new Uint8Array(16).fill(255))).toBe("pay_YcVfxkQb6JRzqk5kF2tNLv");
  expect(referenceOf("pay", new Uint8Array([...Array(15).fill(0), 58]))).toBe(`pay_${"1".repeat(20)}21`);
});

test("a reference is recognized by its prefix and format, and nothing else is", () => {
  const reference = referenceOf("trf", new Uint8Array(16).fill(7));
  expect(isReferenceOf("trf", reference)).toBe(true);
  for (const other of [`pay_${reference.slice(4)}`, `${reference}1`, reference.slice(0, -1), `${reference}\n`, "trf_"])
    expect([other, isReferenceOf("trf", other)]).toEqual([other, false]);
});
