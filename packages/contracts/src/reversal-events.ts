import { z } from "zod";
import {
  AccountNumber,
  Currency,
  CustomerReference,
  Id,
  Instant,
  Kobo,
  MerchantScope,
  Mode,
  PositiveKobo,
} from "./fields.ts";
import { BankCharges, Mac, Source } from "./intake-fields.ts";
import { event } from "./message.ts";

/**
 * The path of a reversal: the bank took a credit back, or a part of it. It begins once the credit is at the end of its own path, so
 * that every stage knows the credit, and is driven again by accounts until the merchant's event is recorded.
 */

const Reversal = z.object({
  /** Derived as that of a credit, and never the same. */
  intakeId: Id,
  /** The intake id of the credit. */
  creditId: Id,
  merchant: MerchantScope,
  amount: PositiveKobo,
  /** How much of the credit had been taken back before. Which part of the fee is given back depends on it. */
  reversedBefore: Kobo,
  /** By the bank's clock. */
  reversedAt: Instant,
  receivedAt: Instant,
  /** What the bank calls it, and what it gave back of its charges: payments stores them, so that accounts can restore it. */
  source: Source.omit({ narration: true }).extend({ accountNumber: AccountNumber }),
});

const SEALED_OF_REVERSAL = ["intakeId", "creditId", "amount", "reversedAt", "receivedAt"];

export const transferReversed = event({
  subject: "accounts.transfer.reversed.v1",
  from: "accounts",
  to: ["ledger"],
  backlogReaders: ["accounts"],
  meaning: "The bank took back a transfer that was credited to a merchant, or a part of it.",
  naturalKey: "intakeId",
  sealed: [
    ...SEALED_OF_REVERSAL,
    ...["merchant.id", "merchant.mode", "reversedBefore", "fundedBy", "source.bank", "source.bankTransferId"],
    ...["source.accountNumber", "source.bankFee", "source.bankVat"],
  ],
  data: Reversal.extend({
    /** `suspense` when it was booked against suspense before the credit was allocated. */
    fundedBy: z.enum(["bank", "suspense"]),
    mac: Mac,
  }),
});

export const unallocatedReversed = event({
  subject: "accounts.unallocated.reversed.v1",
  from: "accounts",
  to: ["ledger"],
  backlogReaders: ["accounts"],
  meaning: "The bank took back money in suspense, or a part of it.",
  naturalKey: "intakeId",
  sealed: [...SEALED_OF_REVERSAL, "mode", "bankFee", "bankVat"],
  data: Reversal.pick({ intakeId: true, creditId: true, amount: true, reversedAt: true, receivedAt: true }).extend({
    ...{ mode: Mode, ...BankCharges, mac: Mac },
  }),
});

export const suspenseReversed = event({
  subject: "ledger.suspense.reversed.v1",
  from: "ledger",
  to: ["accounts"],
  meaning:
    "What the bank took back of unallocated money is booked; it is complete until an operator allocates the rest.",
  naturalKey: "intakeId",
  data: z.object({ intakeId: Id, mode: Mode, amount: PositiveKobo, transactionId: Id, postedAt: Instant }),
});

export const reversalPosted = event({
  subject: "ledger.reversal.posted.v1",
  from: "ledger",
  to: ["payments"],
  backlogReaders: ["accounts"],
  meaning: "The ledger has undone the collection, or that part of it: fee given back, net taken back.",
  naturalKey: "intakeId",
  data: Reversal.extend({ fee: Kobo, net: Kobo, transactionId: Id, postedAt: Instant }),
});

export const collectionReversed = event({
  subject: "payments.collection.reversed.v1",
  from: "payments",
  to: ["webhooks"],
  meaning: "The reversal has its public reference, and its collection and session show it.",
  naturalKey: "intakeId",
  data: z.object({
    intakeId: Id,
    creditId: Id,
    merchant: MerchantScope,
    reference: Id,
    collectionReference: Id,
    amount: PositiveKobo,
    fee: Kobo,
    net: Kobo,
    currency: Currency,
    /** Of the credit, and how much of it is taken back with this. */
    collectionAmount: PositiveKobo,
    amountReversed: PositiveKobo,
    accountNumber: AccountNumber,
    customerReference: CustomerReference.nullable(),
    paymentReference: Id.nullable(),
    merchantReference: z.string().nullable(),
    reversedAt: Instant,
  }),
});

export const reversalRecorded = event({
  subject: "webhooks.reversal.recorded.v1",
  from: "webhooks",
  to: ["accounts", "payments"],
  listeners: ["dashboard"],
  backlogReaders: ["webhooks"],
  meaning: "The merchant's event about a reversal is recorded and numbered; it need not be driven again.",
  naturalKey: "intakeId",
  data: z.object({
    intakeId: Id,
    merchant: MerchantScope,
    reference: Id,
    sequence: z.int().positive(),
    /** Null while the merchant has no webhook URL. */
    deliveryNumber: z.int().positive().nullable(),
    recordedAt: Instant,
  }),
});
