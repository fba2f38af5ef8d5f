import { BANKS, hasCheckDigits, isNuban, type ListedBank, nipCodeOf } from "@collect/bank";
import { naira } from "@collect/money";
import { holderOf } from "../holders.ts";
import type { Books } from "./books.ts";
import { resultOf } from "./payout-codes.ts";

/** Every bank on NIP that we know. */
export const nipBanks = () => ({
  banks: BANKS.map(({ code, name }) => ({ bankCode: nipCodeOf(code), bankName: name.toUpperCase() })),
  ...resultOf("00"),
});

export const bankAtNip = (nipCode: string): ListedBank | undefined =>
  BANKS.find(({ code }) => nipCodeOf(code) === nipCode);

/** At other banks every account with a valid number exists. Wallets have no check digit. */
export const existsAt = (bank: ListedBank, accountNumber: string): boolean =>
  hasCheckDigits(bank) ? isNuban(bank.code, accountNumber) : /^\d{10}$/.test(accountNumber);

const NO_HOLDER = { bankCode: "", accountNumber: "", accountName: "", transactionReference: "", bvn: "" };

/** The bank answers the code of the other bank without its zeros. */
export function holderAtNip(account: { accountNumber: string; beneficiaryBank: string }): object {
  const { accountNumber, beneficiaryBank } = account;
  const bank = bankAtNip(beneficiaryBank);
  if (!bank) return { ...NO_HOLDER, ...resultOf("16") };
  if (!existsAt(bank, accountNumber)) return { ...NO_HOLDER, ...resultOf("07") };
  const found = { bankCode: String(Number(bank.code)), accountNumber, accountName: holderOf(accountNumber) };
  return { ...found, transactionReference: "", bvn: "", ...resultOf("00") };
}

/** The response also has data of the holder that no client of ours needs; here they are empty. */
export function holderAtProvidus(books: Books, sourceAccount: string, accountNumber: string): object {
  const accountName = holderWithin(books, accountNumber);
  if (!accountName) return { accountNumber: "", accountName: "", ...resultOf("7702") };
  const balance = accountNumber === sourceAccount ? naira(BigInt(books.balance().balance)).toFixed(2) : "0.00";
  const person = { emailAddress: "", phoneNumber: "", bvn: "", accountStatus: "ACTIVE" };
  return { ...person, accountNumber, accountName, availableBalance: balance, ...resultOf("00") };
}

/** The name of the holder of an account at this bank: of a reserved account as it was given, of others made up. */
export function holderWithin(books: Books, accountNumber: string): string | undefined {
  if (!isNuban("101", accountNumber)) return undefined;
  return books.accounts.get(accountNumber)?.accountName ?? holderOf(accountNumber);
}
