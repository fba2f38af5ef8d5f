import { isNuban } from "@collect/bank";
import { holderOf } from "../holders.ts";
import type { NameOf } from "./disbursements.ts";
import type { Reservations } from "./reservations.ts";

/** Wallets have the holder's phone number as account number, without a check digit. */
const WALLETS = ["305", "100033", "100002", "120001"];

/** The names of the reserved accounts; at other banks every valid number exists. */
export function createHolders(reservations: Reservations): NameOf {
  return ({ bankCode, accountNumber }) => {
    const reserved = reservations.of(accountNumber)?.accounts.find((account) => account.bankCode === bankCode);
    if (reserved) return reserved.accountName;
    if (!WALLETS.includes(bankCode) && !isNuban(nubanCodeOf(bankCode), accountNumber)) return undefined;
    return holderOf(accountNumber);
  };
}

/** The code over which a check digit is: that of a microfinance bank has a 9 before Monnify's five digits. */
const nubanCodeOf = (bankCode: string) =>
  /^5\d{4}$/.test(bankCode) ? `9${bankCode}` : bankCode.replace(/^00(?=\d{3}$)/, "");
