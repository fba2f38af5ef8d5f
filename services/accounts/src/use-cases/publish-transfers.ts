import type { Bus } from "@collect/bus";
import { type Fact, transferReceived, transferUnallocated } from "@collect/contracts";
import type { TransferRow } from "../store/inbound-transfers.ts";

/**
 * Publishes transfers. The facts are derived from the committed rows alone, so every drive publishes the same.
 * Money that was allocated later has two facts: first it was unallocated, then suspense paid it to its owner.
 */
export async function publishTransfers(bus: Bus, rows: TransferRow[]): Promise<void> {
  const unallocated = rows.filter((row) => row.merchantId === null || row.allocatedAt !== null);
  await bus.publish(transferUnallocated, unallocated.map(unallocatedFact));
  await bus.publish(transferReceived, rows.flatMap(receivedFact));
}

function unallocatedFact({
  intakeId,
  mode,
  amount,
  paidAt,
  receivedAt,
}: TransferRow): Fact<typeof transferUnallocated> {
  return { intakeId, mode, amount, paidAt, receivedAt };
}

function receivedFact(row: TransferRow): Fact<typeof transferReceived>[] {
  if (row.merchantId === null) return [];
  const { intakeId, accountNumber, amount, currency, paidAt, receivedAt, bank, bankTransferId, narration } = row;
  const customer =
    row.customerReference === null ? null : { reference: row.customerReference, name: row.customerName ?? "" };
  return [
    {
      intakeId,
      merchant: { id: row.merchantId, mode: row.mode },
      accountNumber,
      customer,
      amount,
      currency,
      payer: { name: row.payerName, accountNumber: row.payerAccountNumber, bankName: row.payerBankName },
      paidAt,
      receivedAt,
      fundedBy: row.allocatedAt === null ? "bank" : "suspense",
      source: { bank, bankTransferId, narration, allocated: row.allocatedAt !== null },
      ...(row.metadata && { metadata: row.metadata }),
    },
  ];
}
