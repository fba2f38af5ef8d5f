import { answer, type Epochs, type Request } from "@collect/bus";
import { getBalance, getBankBalances, Problem, type Result } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { balanceOf, bankBalancesBefore } from "../store/balances.ts";

type Deps = { pool: Pool; lists: Pool; epochs: Epochs };

export function balanceRequests({ pool, lists, epochs }: Deps): Request[] {
  return [
    answer(getBankBalances, async ({ mode, before }) => {
      epochs.assertCurrent();
      return { balances: await bankBalancesBefore(lists, mode, before) };
    }),
    answer(getBalance, async ({ merchant }): Promise<Result<typeof getBalance>> => {
      // A balance that lacks lost postings would be read as missing money.
      if (epochs.recoveryStep() !== undefined)
        throw new Problem("service_unavailable", "The balance is being restored. Try again shortly.");
      return { mode: merchant.mode, currency: "NGN", ...(await balanceOf(pool, merchant)) };
    }),
  ];
}
