import { expect, test } from "vitest";
import { BANKS, hasCheckDigits } from "./banks.ts";
import { BANK_CODE_PATTERN } from "./nuban.ts";
import { TEST_BANK } from "./test-bank/test-bank.ts";

const codes = BANKS.map(({ code }) => code);
const names = BANKS.map(({ name }) => name);

test("every bank has a code of three or six digits and a name", () => {
  for (const code of codes) expect(code).toMatch(BANK_CODE_PATTERN);
  for (const name of names) expect(name).toMatch(/^\S.{0,98}\S$/);
});

test("codes and names are unique, however a code is padded", () => {
  expect(new Set(codes.map((code) => code.padStart(6, "0"))).size).toBe(BANKS.length);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(BANKS.length);
});

test("the test bank is not listed", () => expect(codes).not.toContain(TEST_BANK.code));

test("banks are sorted by name", () => {
  expect(names).toEqual(names.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), "en")));
});

test("only wallets have no check digit", () => {
  const without = BANKS.filter((bank) => !hasCheckDigits(bank)).map(({ type }) => type);
  expect(new Set(without)).toEqual(new Set(["mobile_money_operator", "payment_service_bank"]));
  expect(hasCheckDigits(TEST_BANK)).toBe(true);
});
