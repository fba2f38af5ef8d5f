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
  ...row
}: TransferRow): Fact<typeof transferUnallocated> {
  return { intakeId, mode, amount, paidAt, receivedAt, ...chargesOf(row) };
}

/** A charge of zero is absent: a transfer of which the bank kept nothing has the fact that it always had. */
export const chargesOf = ({ bankFee, bankVat }: Pick<TransferRow, "bankFee" | "bankVat">) => ({
  ...(bankFee > 0n && { bankFee }),
  ...(bankVat > 0n && { bankVat }),
});

function receivedFact(row: TransferRow): Fact<typeof transferReceived>[] {
  if (row.merchantId === null) return [];
  const { intakeId, accountNumber, amount, currency, paidAt, receivedAt, sessionId, settlementId } = row;
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
      source: {
        ...{ bank: row.bank, bankTransferId: row.bankTransferId, narration: row.narration },
        ...{ allocated: row.allocatedAt !== null, ...chargesOf(row) },
        ...(sessionId !== null && { sessionId }),
        ...(settlementId !== null && { settlementId }),
      },
      ...(row.metadata && { metadata: row.metadata }),
    },
  ];
}
