import { BANKS } from "../banks.ts";
import { nipCodeOf } from "../nip-codes.ts";

/**
 * Monnify's codes where they differ from ours, from its list of banks (`GET /api/v1/banks`) as github.com/Rigantech/easy_monnify
 * recorded it (commit 7ab90b9) and from the examples in its documentation. It keeps the five digits of a microfinance bank
 * without the 9 that the revised NUBAN standard puts before them, and has the same code for all others. A bank that it does
 * not know has no account that it can name, so nothing is paid to a wrong bank.
 */
const THEIRS: Readonly<Record<string, string>> = {
  "103": "00103",
  "501": "400001",
  "951113": "090286",
  "999991": "100033",
  "999992": "305",
};
const MICROFINANCE_BANK = /^9(?=5\d{4}$)/;

const toTheirs = new Map(BANKS.map(({ code }) => [code, THEIRS[code] ?? code.replace(MICROFINANCE_BANK, "")]));
/** It names a payer's bank by the code of NIP as well. */
const byNipCode = BANKS.map(({ code }) => [nipCodeOf(code) ?? code, code] as const);
const toOurs = new Map([...byNipCode, ...[...toTheirs].map(([ours, theirs]) => [theirs, ours] as const)]);
const names = new Map(BANKS.map(({ code, name }) => [code, name]));

/** Monnify's code of one of `BANKS`; another code is passed on as it is. */
export const monnifyBankCode = (code: string): string => toTheirs.get(code) ?? code;

/** Our code and name of a bank by Monnify's code or NIP's; undefined for a bank that is not in `BANKS`. */
export function bankByMonnifyCode(theirs: string): { code: string; name: string } | undefined {
  const code = toOurs.get(theirs);
  const name = code === undefined ? undefined : names.get(code);
  return code === undefined || name === undefined ? undefined : { code, name };
}
