import { answer, type Epochs, type Request } from "@collect/bus";
import { getBalance, getOwnBalances, Problem, type Result } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { balanceOf, ownBalances } from "../store/balances.ts";

export function balanceRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  return [
    answer(getBalance, async ({ merchant }): Promise<Result<typeof getBalance>> => {
      // A balance that lacks lost postings would be read as missing money.
      if (epochs.recoveryStep() !== undefined)
        throw new Problem("service_unavailable", "The balance is being restored. Try again shortly.");
      const { collected, ...balance } = await balanceOf(pool, merchant);
      const shown = collected < 0n ? { collected: 0n, owed: -collected } : { collected };
      return { mode: merchant.mode, currency: "NGN", ...shown, ...balance };
    }),
    answer(getOwnBalances, async () => {
      epochs.assertCurrent();
      return { modes: await ownBalances(pool) };
    }),
  ];
}
