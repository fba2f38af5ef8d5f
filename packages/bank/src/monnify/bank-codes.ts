import { BANKS, type ListedBank } from "../banks.ts";
import { nipCodeOf } from "../nip-codes.ts";

/**
 * Monnify's codes where they differ from ours, from its list of banks (`GET /api/v1/banks`) as github.com/Rigantech/easy_monnify
 * recorded it (commit 7ab90b9) and from the examples in its documentation. It keeps the five digits of a microfinance bank
 * without the 9 that the revised NUBAN standard puts before them, and has the same code for all others. A bank that it does
 * not know has no account that it can name, so nothing is paid to a wrong bank.
 */
const THEIRS: ReadonlyMap<string, string> = new Map([
  ["103", "00103"],
  ["501", "400001"],
  ["951113", "090286"],
  ["999991", "100033"],
  ["999992", "305"],
]);
const MICROFINANCE_BANK = /^9(?=5\d{4}$)/;

/** Monnify's code of one of `BANKS`. */
export const monnifyBankCode = (code: string): string => THEIRS.get(code) ?? code.replace(MICROFINANCE_BANK, "");

/** By Monnify's code, or by NIP's, which it writes of a payer's bank as well. */
const banks: ReadonlyMap<string, ListedBank> = new Map([
  ...BANKS.map((bank) => [nipCodeOf(bank.code) ?? bank.code, bank] as const),
  ...BANKS.map((bank) => [monnifyBankCode(bank.code), bank] as const),
]);

/** One of `BANKS` by Monnify's code; undefined for another bank. */
export const bankByMonnifyCode = (code: string): ListedBank | undefined => banks.get(code);
