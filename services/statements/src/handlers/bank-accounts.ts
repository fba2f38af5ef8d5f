import { answer, type Request } from "@collect/bus";
import { listBankAccounts, Problem, setBankAccount } from "@collect/contracts";
import { isUniqueViolation, type Pool } from "@collect/database";
import { listBankAccounts as list, setBankAccount as set } from "../store/bank-accounts.ts";

export function bankAccountRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(setBankAccount, async (account) => {
      await set(pool, account).catch((cause) => {
        if (!isUniqueViolation(cause)) throw cause;
        throw new Problem("conflict", "Another account receives for this bank, or pays out.", { cause });
      });
      return account;
    }),
    answer(listBankAccounts, async () => ({ accounts: await list(pool) })),
  ];
}
