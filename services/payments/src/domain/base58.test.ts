import { expect, test } from "vitest";
import { base58 } from "./base58.ts";

test("16 bytes are 22 characters, whatever they are", () => {
  expect(base58(new Uint8Array(16))).toBe("1".repeat(22));
  expect(base58(new Uint8Array(16).fill(255))).toBe("YcVfxkQb6JRzqk5kF2tNLv");
  expect(base58(new Uint8Array([...Array(15).fill(0), 58]))).toBe(`${"1".repeat(20)}21`);
});
