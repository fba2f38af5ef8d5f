import type { PayoutBank } from "@collect/bank";
import { type Mode, Problem } from "@collect/contracts";
import { bankOf } from "../domain/banks.ts";

export type Banks = Record<Mode, PayoutBank>;

/**
 * The names of an account's bank and holder. An account number that cannot exist is refused without calling the bank.
 */
export async function resolveAccount(
  banks: Banks,
  mode: Mode,
  account: { bank_code: string; account_number: string },
): Promise<{ bank_name: string; account_name: string }> {
  const bank = bankOf(mode, account);
  const accountName =
    bank && (await banks[mode].nameOf({ bankCode: bank.code, accountNumber: account.account_number }));
  if (!bank || accountName === undefined)
    throw new Problem("account_unresolved", "This bank has no account with this number.");
  return { bank_name: bank.name, account_name: accountName };
}
