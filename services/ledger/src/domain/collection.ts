import type { Fact, transferReceived, transferUnallocated } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { bank, bankCharges, collected, fees, type Shard, suspense } from "./account.ts";
import { feeOn } from "./fee.ts";
import { balanced, credit, debit, type Leg, type Transaction } from "./transaction.ts";

/**
 * Money for a merchant: we owe the merchant the net and earn the fee, both of the gross: what the bank kept of it is our
 * expense. The rest is at the bank, unless the money was in suspense: then an operator's allocation takes it from there,
 * under a key of its own.
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
  const bankCharge = allocation ? 0n : chargeOf(transfer.source);
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
      bankCharge,
      occurredAt: transfer.paidAt,
      receivedAt: transfer.receivedAt,
    },
    [
      ...(allocation ? [debit(suspense(ours), amount)] : reaching(ours, amount, bankCharge)),
      credit(collected(merchant), amount - fee),
      credit(fees(ours), fee),
    ],
  );
}

/** Money for an account without an owner: we owe it to the merchant it is later allocated to. No fee. */
export function suspenseTransaction(given: { transfer: Fact<typeof transferUnallocated>; shard: number }): Transaction {
  const { intakeId, mode, amount, paidAt, receivedAt } = given.transfer;
  const ours = { mode, shard: given.shard };
  const bankCharge = chargeOf(given.transfer);
  return balanced(
    {
      key: intakeId,
      kind: "suspense",
      mode,
      merchantId: null,
      amount,
      fee: 0n,
      feeBasisPoints: 0,
      bankCharge,
      occurredAt: paidAt,
      receivedAt,
    },
    [...reaching(ours, amount, bankCharge), credit(suspense(ours), amount)],
  );
}

export type Charges = { bankFee?: Kobo | undefined; bankVat?: Kobo | undefined };
export const chargeOf = ({ bankFee = 0n, bankVat = 0n }: Charges = {}): Kobo => bankFee + bankVat;

/** What reaches our account at the bank, and what the bank keeps. */
const reaching = (ours: Shard, amount: Kobo, bankCharge: Kobo): Leg[] => [
  debit(bank(ours), amount - bankCharge),
  debit(bankCharges(ours), bankCharge),
];
