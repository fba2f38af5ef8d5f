import { z } from "zod";
import {
  AccountNumber,
  BankCode,
  Currency,
  CustomerReference,
  Id,
  Instant,
  Kobo,
  MerchantReference,
  MerchantScope,
  Metadata,
  Mode,
  Payer,
  PositiveKobo,
} from "./fields.ts";
import { BankCharges, Mac, Source } from "./intake-fields.ts";
import { TransferStatus } from "./merchant-api/transfers.ts";
import { event } from "./message.ts";
import { SessionSnapshot } from "./session-snapshot.ts";

/** Every event declared here, in this order; streams, durables and docs/events.md derive from the list. */
export { EVENTS } from "./message.ts";

/**
 * The path of money, in causal order. `.v1` changes by addition only, and an added field stays optional.
 * A message on the wire is an array of facts of one mode and one partition.
 */

const Customer = z.object({ reference: CustomerReference, name: z.string() });

/** Set by accounts when the bank's transfer is committed, and unchanged to the end of the path. */
const Intake = z.object({
  intakeId: Id,
  merchant: MerchantScope,
  accountNumber: AccountNumber,
  /** Null when the money was paid into one of the merchant's collection accounts. */
  customer: Customer.nullable(),
  amount: PositiveKobo,
  currency: Currency,
  payer: Payer,
  paidAt: Instant,
  receivedAt: Instant,
  /** The bank's own identifiers: payments stores them, so that accounts can restore transfers it has lost. */
  source: Source.optional(),
  /** The metadata of the customer's account; absent if it has none. payments decides whether the merchant's event has it. */
  metadata: Metadata.optional(),
});

export const transferReceived = event({
  subject: "accounts.transfer.received.v1",
  from: "accounts",
  to: ["ledger"],
  backlogReaders: ["accounts"],
  meaning: "Money was paid into an account of a merchant; the intake row is committed.",
  naturalKey: "intakeId",
  sealed: [
    ...["intakeId", "merchant.id", "merchant.mode", "accountNumber", "customer.reference", "customer.name"],
    ...["amount", "currency", "payer.name", "payer.accountNumber", "payer.bankName"],
    ...["paidAt", "receivedAt", "fundedBy", "source.bank", "source.bankTransferId", "source.allocated"],
  ],
  sealedWhenPresent: ["source.bankFee", "source.bankVat"],
  data: Intake.extend({
    /** `suspense` when an operator allocated money that was booked to suspense on receipt. */
    fundedBy: z.enum(["bank", "suspense"]),
    mac: Mac,
  }),
});

export const transferUnallocated = event({
  subject: "accounts.transfer.unallocated.v1",
  from: "accounts",
  to: ["ledger"],
  meaning: "Money was paid into an account without an owner; it is to be held in suspense, without a fee.",
  naturalKey: "intakeId",
  sealed: ["intakeId", "mode", "amount", "paidAt", "receivedAt"],
  sealedWhenPresent: ["bankFee", "bankVat"],
  data: z.object({
    ...{ intakeId: Id, mode: Mode, amount: PositiveKobo, ...BankCharges },
    ...{ paidAt: Instant, receivedAt: Instant, mac: Mac },
  }),
});

export const suspensePosted = event({
  subject: "ledger.suspense.posted.v1",
  from: "ledger",
  to: ["accounts"],
  meaning: "Unallocated money is booked to suspense; its intake row is complete until an operator allocates it.",
  naturalKey: "intakeId",
  data: z.object({ intakeId: Id, mode: Mode, amount: PositiveKobo, transactionId: Id, postedAt: Instant }),
});

export const collectionPosted = event({
  subject: "ledger.collection.posted.v1",
  from: "ledger",
  to: ["payments"],
  backlogReaders: ["accounts"],
  meaning: "The ledger has posted the collection: fee taken, net owed to the merchant.",
  naturalKey: "intakeId",
  data: Intake.extend({
    feeBasisPoints: z.int().min(0).max(10_000),
    fee: Kobo,
    net: Kobo,
    transactionId: Id,
    postedAt: Instant,
  }),
});

export const collectionSucceeded = event({
  subject: "payments.collection.succeeded.v1",
  from: "payments",
  to: ["webhooks"],
  backlogReaders: ["accounts", "payments"],
  meaning: "The collection has its public reference and its payer record.",
  naturalKey: "intakeId",
  data: Intake.extend({
    fee: Kobo,
    net: Kobo,
    reference: Id,
    paymentReference: Id.nullable(),
    merchantReference: z.string().nullable(),
    /** The name that the payer gave at the checkout, when the merchant's customer is not known. */
    payerDetailsName: z.string().nullable().optional(),
    /** That of the session or the account. Absent if an earlier release decided: the event then has neither it nor the payer. */
    metadata: Metadata.optional(),
    postedAt: Instant,
  }),
});

export const collectionRecorded = event({
  subject: "webhooks.collection.recorded.v1",
  from: "webhooks",
  to: ["accounts"],
  listeners: ["accounts", "dashboard"],
  backlogReaders: ["webhooks"],
  meaning: "The merchant's event is recorded and numbered; the intake row can be completed.",
  naturalKey: "intakeId",
  data: z.object({
    intakeId: Id,
    merchant: MerchantScope,
    reference: Id,
    sequence: z.int().positive(),
    /** Null while the merchant has no webhook URL: the event is recorded anyway. */
    deliveryNumber: z.int().positive().nullable(),
    recordedAt: Instant,
    /** SHA-256 of the event's body, in hexadecimal: the self-audit compares it with the stored body. */
    bodyHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  }),
});

/**
 * Besides the path of money: facts without an intake row. They carry a version, or are republished until they are recorded.
 */

export const sessionChanged = event({
  subject: "payments.session.changed.v1",
  from: "payments",
  to: ["checkout"],
  listeners: ["checkout", "dashboard"],
  backlogReaders: ["payments"],
  meaning: "A payment session was created or changed: the full session at one version.",
  naturalKey: "reference",
  forCopies: true,
  data: SessionSnapshot,
});

export const collectionAttached = event({
  subject: "payments.collection.attached.v1",
  from: "payments",
  to: ["webhooks"],
  backlogReaders: ["payments"],
  meaning:
    "A person has said which session or customer an unmatched collection is for. Republished until it is recorded.",
  naturalKey: "intakeId",
  /** The collection as it is from now on, with that session or customer. */
  data: collectionSucceeded.data,
});

export const attachmentRecorded = event({
  subject: "webhooks.attachment.recorded.v1",
  from: "webhooks",
  to: ["payments"],
  listeners: ["dashboard"],
  backlogReaders: ["webhooks"],
  meaning: "The merchant's event about an attached collection is recorded and numbered; it need not be republished.",
  naturalKey: "intakeId",
  data: collectionRecorded.data.omit({ bodyHash: true }),
});

export const transferCompleted = event({
  subject: "payments.transfer.completed.v1",
  from: "payments",
  to: ["webhooks"],
  meaning:
    "A transfer reached a final status, or a success was reversed, and the ledger has posted it. Republished until it is recorded.",
  naturalKey: "key",
  data: z.object({
    /** The transfer and its outcome: `trf_…:success`. */
    key: Id,
    merchant: MerchantScope,
    reference: Id,
    merchantReference: MerchantReference,
    status: TransferStatus.exclude(["pending"]),
    amount: PositiveKobo,
    fee: Kobo,
    currency: Currency,
    bankCode: BankCode,
    bankName: z.string(),
    accountNumber: AccountNumber,
    accountName: z.string(),
    narration: z.string().nullable(),
    failureCode: z.string().nullable(),
    failureReason: z.string().nullable(),
    createdAt: Instant,
    completedAt: Instant,
    /** Absent if an earlier release took the order: the event then does not have it. */
    metadata: Metadata.optional(),
  }),
});

export const transferRecorded = event({
  subject: "webhooks.transfer.recorded.v1",
  from: "webhooks",
  to: ["payments"],
  listeners: ["dashboard"],
  backlogReaders: ["webhooks"],
  meaning: "The merchant's event about a transfer is recorded and numbered; it need not be republished.",
  naturalKey: "key",
  data: z.object({
    key: Id,
    merchant: MerchantScope,
    sequence: z.int().positive(),
    /** Null while the merchant has no webhook URL. */
    deliveryNumber: z.int().positive().nullable().optional(),
    recordedAt: Instant,
  }),
});
