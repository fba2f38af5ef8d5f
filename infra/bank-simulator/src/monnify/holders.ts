import { isNuban } from "@collect/bank";
import type { NameOf } from "./disbursements.ts";
import type { Reservations } from "./reservations.ts";

/** Wallets have the holder's phone number as account number, without a check digit. */
const WALLETS = ["305", "100033", "100002", "120001"];
const FIRST_NAMES = ["ADAEZE", "BOLA", "CHIDI", "DAYO", "EMEKA", "FUNKE", "HALIMA", "IBRAHIM", "NGOZI", "TUNDE"];
const LAST_NAMES = ["ADEBAYO", "BELLO", "CHUKWU", "DANJUMA", "EZE", "LAWAL", "MUSA", "NWOSU", "OKAFOR", "YUSUF"];

/** The names of the reserved accounts; at other banks every valid number exists. */
export function createHolders(reservations: Reservations): NameOf {
  return ({ bankCode, accountNumber }) => {
    const reserved = reservations.of(accountNumber)?.accounts.find((account) => account.bankCode === bankCode);
    if (reserved) return reserved.accountName;
    if (!WALLETS.includes(bankCode) && !isNuban(nubanCodeOf(bankCode), accountNumber)) return undefined;
    return `${FIRST_NAMES[Number(accountNumber[8])]} ${LAST_NAMES[Number(accountNumber[7])]}`;
  };
}

/** The code over which a check digit is: that of a microfinance bank has a 9 before Monnify's five digits. */
const nubanCodeOf = (bankCode: string) =>
  /^5\d{4}$/.test(bankCode) ? `9${bankCode}` : bankCode.replace(/^00(?=\d{3}$)/, "");
