import type { PayoutBank } from "@collect/bank";
import { answer, type Request } from "@collect/bus";
import { listBanks, type Mode, Problem, resolveAccount } from "@collect/contracts";
import { bankOf, banksOf } from "../domain/banks.ts";

type Banks = Record<Mode, PayoutBank>;
type AskedAccount = { bank_code: string; account_number: string };

export function bankRequests(banks: Banks): Request[] {
  return [
    answer(listBanks, async ({ merchant: { mode } }) => ({ data: [...banksOf(mode)], mode })),
    answer(resolveAccount, async ({ merchant: { mode }, bank_code, account_number }) => ({
      bank_code,
      account_number,
      mode,
      ...(await resolve(banks, mode, { bank_code, account_number })),
    })),
  ];
}

/** The names of an account's bank and holder. What cannot exist is refused without asking anybody. */
export async function resolve(
  banks: Banks,
  mode: Mode,
  account: AskedAccount,
): Promise<{ bank_name: string; account_name: string }> {
  const bank = bankOf(mode, account);
  const accountName =
    bank && (await banks[mode].nameOf({ bankCode: bank.code, accountNumber: account.account_number }));
  if (!bank || accountName === undefined)
    throw new Problem("account_unresolved", "This bank has no account with this number.");
  return { bank_name: bank.name, account_name: accountName };
}
