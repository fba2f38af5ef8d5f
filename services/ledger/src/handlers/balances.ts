import { answer } from "@collect/bus";
import { type Answer, getBalance } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { balanceOf } from "../store/balances.ts";

export const answerBalance = (pool: Pool) =>
  answer(
    getBalance,
    async ({ merchant }): Promise<Answer<typeof getBalance>> => ({
      mode: merchant.mode,
      currency: "NGN",
      ...(await balanceOf(pool, merchant)),
    }),
  );
