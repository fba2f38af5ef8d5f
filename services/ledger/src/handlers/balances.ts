import { answer, type Epochs, type Request } from "@collect/bus";
import { getBalance, Problem, type Result } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { balanceOf } from "../store/balances.ts";

export function balanceRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  return [
    answer(getBalance, async ({ merchant }): Promise<Result<typeof getBalance>> => {
      // A balance that lacks lost postings would be read as missing money.
      if (epochs.recoveryStep() !== undefined)
        throw new Problem("service_unavailable", "The balance is being restored. Try again shortly.");
      return { mode: merchant.mode, currency: "NGN", ...(await balanceOf(pool, merchant)) };
    }),
  ];
}
