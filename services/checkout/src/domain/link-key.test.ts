import { expect, test } from "vitest";
import { z } from "zod";
import { linkKey } from "./link-key.ts";

const form = {
  key: "5b0c8f0e-58f2-4a6e-9d0f-0a4f3a6f7a10",
  slug: "abcdefghij",
  amount: 250_000n,
  name: "Ada",
  email: "a@b.co",
};

test("the same form with the same fields always has the same key, which is a UUID", () => {
  expect(linkKey({ ...form })).toBe(linkKey(form));
  expect(z.uuid().safeParse(linkKey(form)).success).toBe(true);
});

test("another form, link, amount or payer has another key", () => {
  const others = [
    { key: "0a4f3a6f-58f2-4a6e-9d0f-5b0c8f0e7a10" },
    { slug: "jihgfedcba" },
    { amount: 250_001n },
    { amount: null },
    { name: "Obi" },
    { email: "b@b.co" },
  ].map((other) => linkKey({ ...form, ...other }));
  expect(new Set([linkKey(form), ...others]).size).toBe(7);
});
