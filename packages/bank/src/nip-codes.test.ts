import { expect, test } from "vitest";
import { BANKS } from "./banks.ts";
import { nipCodeOf } from "./nip-codes.ts";

test("every bank has a code of six digits at NIP, and no two have the same", () => {
  const codes = BANKS.map(({ code }) => nipCodeOf(code));
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(new Set(codes).size).toBe(BANKS.length);
});

test("a bank that is not listed has none", () => expect(nipCodeOf("999")).toBeUndefined());
