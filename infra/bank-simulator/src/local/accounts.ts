import { isNuban, nuban } from "@collect/bank";
import { Problem } from "@collect/contracts";
import { z } from "zod";
import { holderOf } from "../holders.ts";
import type { Journal } from "../journal.ts";
import { serialFrom } from "../serials.ts";

export const IssueAccount = z.object({
  request_id: z.string().min(1).max(200),
  account_name: z.string().min(1).max(300),
});
export type IssueAccount = z.infer<typeof IssueAccount>;

export const Account = IssueAccount.extend({ account_number: z.string() });
export type Account = z.infer<typeof Account>;

export type Accounts = {
  issue(request: IssueAccount): { account_number: string; account_name: string; bank_code: string; bank_name: string };
  /** The account holder's name, at this bank or any other; undefined if the account does not exist. */
  nameOf(account: { bank_code: string; account_number: string }): string | undefined;
};

export function createAccounts(options: { bank: { code: string; name: string }; journal: Journal<Account> }): Accounts {
  const { bank, journal } = options;
  const byRequest = new Map(journal.entries.map((account) => [account.request_id, account]));
  const byNumber = new Map(journal.entries.map((account) => [account.account_number, account]));

  /**
   * A number derived from the request id stays the same after a restart, even without stored data. Taken numbers are
   * skipped.
   */
  function freeNumber(requestId: string): string {
    for (let attempt = 0; ; attempt++) {
      const number = nuban({ bankCode: bank.code, serial: serialFrom(`${requestId}:${attempt}`) });
      if (!byNumber.has(number)) return number;
    }
  }

  function create(request: IssueAccount): Account {
    const account = { ...request, account_number: freeNumber(request.request_id) };
    journal.append(account);
    byRequest.set(account.request_id, account);
    byNumber.set(account.account_number, account);
    return account;
  }

  return {
    issue(request) {
      const { account_number, account_name } = byRequest.get(request.request_id) ?? create(request);
      if (account_name !== request.account_name)
        throw new Problem("conflict", "This request id was used with another account name.");
      return { account_number, account_name, bank_code: bank.code, bank_name: bank.name };
    },
    nameOf({ bank_code, account_number }) {
      if (bank_code === bank.code) return byNumber.get(account_number)?.account_name;
      return isNuban(bank_code, account_number) ? holderOf(account_number) : undefined;
    },
  };
}
