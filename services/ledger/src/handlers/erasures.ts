import { answer, type Request } from "@collect/bus";
import { eraseLedgerDeadLetters } from "@collect/contracts";
import { eraseDeadLetters, type Pool } from "@collect/database";

/** The part of the ledger in the erasure of a person. Transactions and entries name no person, and never change. */
export function erasureRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(eraseLedgerDeadLetters, async ({ intake_ids }) => {
      await eraseDeadLetters(pool, intake_ids);
      return {};
    }),
  ];
}
