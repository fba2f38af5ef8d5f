import { expect, test } from "vitest";
import { newMailedLink, tokenOf } from "./mailed-token.ts";
import { isToken } from "./token.ts";

test("while the secret is replaced every replica finds the same link, and without the former secret none", () => {
  const occasion = "reset_password:1";
  const { token, proof: detail } = newMailedLink(["old"], occasion);
  expect(isToken(token)).toBe(true);
  expect([tokenOf(["old"], { occasion, detail }), tokenOf(["new", "old"], { occasion, detail })]).toEqual([
    token,
    token,
  ]);
  expect(() => tokenOf(["new"], { occasion, detail })).toThrow("no AUTH_SECRET");
  expect(newMailedLink(["old"], "reset_password:2").token).not.toBe(token);
  expect(tokenOf(["old"], { occasion, detail: {} })).toBeUndefined();
});
