import { BANKS, nuban, TEST_BANK } from "@collect/bank";
import { Bank } from "@collect/contracts";
import { expect, test } from "vitest";
import { bankOf, banksOf } from "./banks.ts";

const numberOf = (bankCode: string) => nuban({ bankCode, serial: "000000701" });
const wrong = (bankCode: string) => `${numberOf(bankCode).slice(0, 9)}${(Number(numberOf(bankCode)[9]) + 1) % 10}`;

test("the test bank comes first in test mode, and is not listed in live mode", () => {
  expect(banksOf("test")).toEqual([TEST_BANK, ...BANKS]);
  expect(banksOf("live")).toEqual(BANKS);
  const account = { bank_code: TEST_BANK.code, account_number: numberOf(TEST_BANK.code) };
  expect(bankOf("test", account)).toEqual(TEST_BANK);
  expect(bankOf("live", account)).toBeUndefined();
});

test("the documented types of banks are those in the list", () => {
  const listed = new Set(banksOf("test").map(({ type }) => type));
  expect([...listed].sort()).toEqual(Bank.shape.type.options.toSorted());
});

test("an account of a bank in the list must have its check digit", () => {
  expect(bankOf("live", { bank_code: "058", account_number: numberOf("058") })?.name).toBe("Guaranty Trust Bank");
  expect(bankOf("live", { bank_code: "058", account_number: wrong("058") })).toBeUndefined();
  expect(bankOf("live", { bank_code: "059", account_number: numberOf("059") })).toBeUndefined();
});

test("a wallet, numbered by phone, needs no check digit", () => {
  expect(bankOf("live", { bank_code: "999992", account_number: wrong("999992") })?.name).toBe("OPay");
});
