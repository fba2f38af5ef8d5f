import type { Bus } from "@collect/bus";
import { type Fact, transferReversed, unallocatedReversed } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type DrivenReversal, readAdmitted } from "../store/reversals.ts";
import { chargesOf } from "./publish-transfers.ts";

/**
 * Publishes admitted reversals. The facts are derived from the committed rows alone, so every drive publishes the same. Money that
 * was taken out of suspense before the rest was allocated has two facts, as its credit has: the second one follows the credit.
 */
export async function publishReversals({ pool, bus }: { pool: Pool; bus: Bus }, reversalIds: string[]): Promise<void> {
  const rows = await readAdmitted(pool, reversalIds);
  const unallocated = rows.filter(({ merchantId, allocatedAt }) => merchantId === null || allocatedAt !== null);
  await bus.publish(unallocatedReversed, unallocated.map(unallocatedFact));
  await bus.publish(transferReversed, rows.flatMap(reversedFact));
}

const commonOf = ({ reversalId, creditId, amount, reversedAt, receivedAt }: DrivenReversal) => ({
  ...{ intakeId: reversalId, creditId, amount, reversedAt, receivedAt },
});

const unallocatedFact = (row: DrivenReversal): Fact<typeof unallocatedReversed> => ({
  ...commonOf(row),
  mode: row.mode,
  ...chargesOf(row),
});

function reversedFact(row: DrivenReversal): Fact<typeof transferReversed>[] {
  const { merchantId, reversedBefore, allocatedAt, isCreditComplete, sessionId, settlementId } = row;
  if (merchantId === null || reversedBefore === null || !isCreditComplete) return [];
  return [
    {
      ...commonOf(row),
      ...{ merchant: { id: merchantId, mode: row.mode }, reversedBefore },
      fundedBy: allocatedAt === null ? "bank" : "suspense",
      source: {
        ...{ bank: row.bank, bankTransferId: row.bankTransferId, accountNumber: row.accountNumber },
        ...{ allocated: allocatedAt !== null, ...chargesOf(row) },
        ...(sessionId !== null && { sessionId }),
        ...(settlementId !== null && { settlementId }),
      },
    },
  ];
}
