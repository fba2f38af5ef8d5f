import { answer, type Request } from "@collect/bus";
import { getTransaction, Problem, type Result } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { readTransaction } from "../store/transactions.ts";

export function transactionRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(getTransaction, async ({ merchant, key }): Promise<Result<typeof getTransaction>> => {
      const rows = await readTransaction(pool, merchant, key);
      const [first] = rows;
      if (!first) throw new Problem("not_found", "There is no such transaction.");
      const { transaction_id, kind, amount, fee, fee_basis_points, occurred_at, posted_at } = first;
      const entries = rows.map(({ account, entry_amount, balance_after, version }) => ({
        account,
        amount: entry_amount,
        balance_after,
        version: version === null ? null : Number(version),
      }));
      return { transaction_id, kind, amount, fee, fee_basis_points, occurred_at, posted_at, entries };
    }),
  ];
}
