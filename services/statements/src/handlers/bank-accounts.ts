import { answer, type Request } from "@collect/bus";
import {
  continueBankAccount,
  endBankAccount,
  listBankAccounts,
  Problem,
  removeBankAccount,
  setBankAccount,
} from "@collect/contracts";
import { isUniqueViolation, type Pool } from "@collect/database";
import { operatorIn } from "../domain/operator.ts";
import { listBankAccounts as list, setBankAccount as set } from "../store/bank-accounts.ts";
import { continueAccount, endAccount, removeAccount } from "../use-cases/end-account.ts";

export function bankAccountRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(setBankAccount, async (account) => {
      await set(pool, account).catch((cause) => {
        if (!isUniqueViolation(cause)) throw cause;
        throw new Problem(
          "conflict",
          "Another account receives for this bank, pays out, or has the payouts of this partner.",
          { cause },
        );
      });
      return account;
    }),
    answer(endBankAccount, async (given, context) => {
      await endAccount(pool, given, operatorIn(context));
      return {};
    }),
    answer(continueBankAccount, async ({ number }) => {
      await continueAccount(pool, number);
      return {};
    }),
    answer(removeBankAccount, async ({ number }) => {
      await removeAccount(pool, number);
      return {};
    }),
    answer(listBankAccounts, async () => ({ accounts: await list(pool) })),
  ];
}
