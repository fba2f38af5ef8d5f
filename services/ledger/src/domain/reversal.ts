import type { Fact, MerchantScope, transferReversed, unallocatedReversed } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { bank, bankCharges, collected, fees, type Shard, settled, suspense } from "./account.ts";
import { chargeOf } from "./collection.ts";
import { balanced, credit, debit, type Leg, type Transaction } from "./transaction.ts";

/** The step from which on reversals are booked again. */
export const REVERSALS = "reversals";

/** A collection or an allocation as it is booked. In kobo. */
export type BookedCredit = { amount: Kobo; fee: Kobo; feeBasisPoints: number };

/**
 * Undoes a collection, or the part of it that the bank took back: the merchant gives back the net and we the fee. Collected may
 * become negative: then the merchant owes us, and what comes next pays for it. If the money was taken out of suspense before
 * the rest was allocated, suspense is given back what the allocation took out of it too much.
 */
export function reversalTransaction(given: {
  reversal: Fact<typeof transferReversed>;
  credit: BookedCredit;
  shard: number;
}): Transaction {
  const { reversal, credit: booked, shard } = given;
  const { intakeId, creditId, merchant, amount, reversedBefore } = reversal;
  const ours = { mode: merchant.mode, shard };
  const wasHeld = reversal.fundedBy === "suspense";
  const kind = kindOfReversal(reversal);
  const bankCharge = wasHeld ? 0n : chargeOf(reversal.source);
  const fee = feeOfPart(booked, { before: reversedBefore, amount });
  return balanced(
    {
      ...{ key: `${creditId}:${kind}:${intakeId}`, kind, mode: merchant.mode, merchantId: merchant.id },
      ...{ amount, fee, feeBasisPoints: booked.feeBasisPoints, bankCharge },
      ...{ occurredAt: reversal.reversedAt, receivedAt: null, countedAt: wasHeld ? null : reversal.receivedAt },
    },
    [
      ...(wasHeld ? [credit(suspense(ours), amount)] : leaving(ours, amount, bankCharge)),
      debit(collected(merchant), amount - fee),
      debit(fees(ours), fee),
    ],
  );
}

/** Of the transaction that takes it back from its merchant. */
export const kindOfReversal = ({ fundedBy }: Pick<Fact<typeof transferReversed>, "fundedBy">) =>
  fundedBy === "suspense" ? "allocation_reversal" : "collection_reversal";

/** The share of the fee: the shares of all parts of a collection sum to its fee, whichever parts they are. */
export function feeOfPart(
  { amount: whole, fee }: BookedCredit,
  { before, amount }: { before: Kobo; amount: Kobo },
): Kobo {
  const upTo = (part: Kobo) => (fee * part) / whole;
  return upTo(before + amount) - upTo(before);
}

/** Money that the bank took back before it belonged to a merchant. */
export function suspenseReversalTransaction(given: {
  reversal: Fact<typeof unallocatedReversed>;
  shard: number;
}): Transaction {
  const { intakeId, creditId, mode, amount, reversedAt, receivedAt, ...charges } = given.reversal;
  const ours = { mode, shard: given.shard };
  const bankCharge = chargeOf(charges);
  return balanced(
    {
      ...{ key: `${creditId}:suspense_reversal:${intakeId}`, kind: "suspense_reversal", mode, merchantId: null },
      ...{ amount, fee: 0n, feeBasisPoints: 0, bankCharge },
      ...{ occurredAt: reversedAt, receivedAt: null, countedAt: receivedAt },
    },
    [...leaving(ours, amount, bankCharge), debit(suspense(ours), amount)],
  );
}

/** What leaves our account at the bank, and what the bank gives back of its charges. */
const leaving = (ours: Shard, amount: Kobo, bankCharge: Kobo): Leg[] => [
  credit(bank(ours), amount - bankCharge),
  credit(bankCharges(ours), bankCharge),
];

/** Settled pays for what Collected lacks, as far as it goes; what is reserved for transfers is not touched. Null if there is nothing to pay. */
export function coverTransaction(given: {
  merchant: MerchantScope;
  /** Of the transaction after which it is due. */
  key: string;
  /** In the merchant's favor. */
  balances: { collected: Kobo; settled: Kobo };
  occurredAt: string;
}): Transaction | null {
  const { merchant, key, balances, occurredAt } = given;
  const owed = -balances.collected;
  const isEnough = balances.settled >= owed;
  const amount = isEnough ? owed : balances.settled;
  if (amount <= 0n) return null;
  return balanced(
    {
      ...{ key: `${key}:cover`, kind: "cover", mode: merchant.mode, merchantId: merchant.id },
      ...{ amount, fee: 0n, feeBasisPoints: 0, occurredAt, receivedAt: null },
    },
    [debit(settled(merchant), amount), credit(collected(merchant), amount)],
  );
}
