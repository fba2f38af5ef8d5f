import type { Fact, transferReceived, transferUnallocated } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { bank, collected, fees, suspense } from "./account.ts";
import { feeOn } from "./fee.ts";
import { balanced, credit, debit, type Transaction } from "./transaction.ts";

/**
 * Money for a merchant: we owe the merchant the net and earn the fee. The bank owes us the amount, unless the money
 * was in suspense: then an operator's allocation takes it from there, under a key of its own.
 */
export function collectionTransaction(given: {
  transfer: Fact<typeof transferReceived>;
  feeBasisPoints: number;
  /** The fee that the merchant has already been sent, which does not change. */
  fee?: Kobo | undefined;
  shard: number;
}): Transaction {
  const { transfer } = given;
  const { intakeId, merchant, amount } = transfer;
  const ours = { mode: merchant.mode, shard: given.shard };
  const allocation = transfer.fundedBy === "suspense";
  const fee = given.fee ?? feeOn(amount, given.feeBasisPoints);
  const feeBasisPoints =
    fee === feeOn(amount, given.feeBasisPoints) ? given.feeBasisPoints : Number((fee * 10_000n + amount / 2n) / amount);
  return balanced(
    {
      key: allocation ? `${intakeId}:allocated` : intakeId,
      kind: allocation ? "allocation" : "collection",
      mode: merchant.mode,
      merchantId: merchant.id,
      amount,
      fee,
      feeBasisPoints,
      occurredAt: transfer.paidAt,
      receivedAt: transfer.receivedAt,
    },
    [
      debit((allocation ? suspense : bank)(ours), amount),
      credit(collected(merchant), amount - fee),
      credit(fees(ours), fee),
    ],
  );
}

/** Money for an account without an owner: we owe it to the merchant it is later allocated to. No fee. */
export function suspenseTransaction(given: { transfer: Fact<typeof transferUnallocated>; shard: number }): Transaction {
  const { intakeId, mode, amount, paidAt, receivedAt } = given.transfer;
  const ours = { mode, shard: given.shard };
  return balanced(
    {
      key: intakeId,
      kind: "suspense",
      mode,
      merchantId: null,
      amount,
      fee: 0n,
      feeBasisPoints: 0,
      occurredAt: paidAt,
      receivedAt,
    },
    [debit(bank(ours), amount), credit(suspense(ours), amount)],
  );
}
