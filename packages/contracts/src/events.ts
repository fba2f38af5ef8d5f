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
  Mode,
  Payer,
  PositiveKobo,
} from "./fields.ts";
import { TransferStatus } from "./merchant-api/transfers.ts";
import { event } from "./message.ts";
import { SessionSnapshot } from "./session-snapshot.ts";

/** Every event that is declared here, in this order; streams, durables and docs/events.md derive from the list. */
export { EVENTS } from "./message.ts";

/**
 * The path of money, in causal order. `.v1` changes by addition only, and an added field stays optional.
 * On the wire a message carries an array of facts of one mode and one partition.
 */

const Customer = z.object({ reference: CustomerReference, name: z.string() });

const Source = z.object({
  bank: z.string(),
  bankTransferId: z.string(),
  narration: z.string().nullable(),
  /** Whether it stood in suspense first. */
  allocated: z.boolean(),
});

/** Decided by accounts when the bank's transfer was committed, and carried unchanged to the end of the path. */
const Intake = z.object({
  intakeId: Id,
  merchant: MerchantScope,
  accountNumber: AccountNumber,
  /** Null when the money came into one of the merchant's collection accounts. */
  customer: Customer.nullable(),
  amount: PositiveKobo,
  currency: Currency,
  payer: Payer,
  paidAt: Instant,
  receivedAt: Instant,
  /** What the bank called it: payments keeps it, so that accounts can learn again what it lost. */
  source: Source.optional(),
});

export const transferReceived = event({
  subject: "accounts.transfer.received.v1",
  from: "accounts",
  to: ["ledger"],
  meaning: "Money came into an account of a merchant; the intake row is committed.",
  naturalKey: "intakeId",
  data: Intake.extend({
    /** `suspense` when an operator allocated money that was booked to suspense when it came. */
    fundedBy: z.enum(["bank", "suspense"]),
  }),
});

export const transferUnallocated = event({
  subject: "accounts.transfer.unallocated.v1",
  from: "accounts",
  to: ["ledger"],
  meaning: "Money came into an account without an owner; it is to be held in suspense, without a fee.",
  naturalKey: "intakeId",
  data: z.object({ intakeId: Id, mode: Mode, amount: PositiveKobo, paidAt: Instant, receivedAt: Instant }),
});

export const suspensePosted = event({
  subject: "ledger.suspense.posted.v1",
  from: "ledger",
  to: ["accounts"],
  meaning: "Unallocated money stands in suspense; its intake row is complete until an operator allocates it.",
  naturalKey: "intakeId",
  data: z.object({ intakeId: Id, mode: Mode, amount: PositiveKobo, transactionId: Id, postedAt: Instant }),
});

export const collectionPosted = event({
  subject: "ledger.collection.posted.v1",
  from: "ledger",
  to: ["payments"],
  meaning: "The ledger holds the collection: fee taken, net owed to the merchant.",
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
  meaning: "The collection has its public reference and its payer record.",
  naturalKey: "intakeId",
  data: Intake.extend({
    fee: Kobo,
    net: Kobo,
    reference: Id,
    paymentReference: Id.nullable(),
    merchantReference: z.string().nullable(),
    /** Who pays, when no customer of the merchant is known: the name given at the checkout. */
    payerDetailsName: z.string().nullable().optional(),
    postedAt: Instant,
  }),
});

export const collectionRecorded = event({
  subject: "webhooks.collection.recorded.v1",
  from: "webhooks",
  to: ["accounts"],
  meaning: "The merchant's event is recorded and numbered; the intake row can be completed.",
  naturalKey: "intakeId",
  data: z.object({
    intakeId: Id,
    merchant: MerchantScope,
    reference: Id,
    sequence: z.int().positive(),
    /** Null while the merchant has no webhook URL: the event is recorded all the same. */
    deliveryNumber: z.int().positive().nullable(),
    recordedAt: Instant,
    /** SHA-256 of the event's body, in hexadecimal: the self-audit compares the body that is kept with it. */
    bodyHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  }),
});

/**
 * Beside the path of money: facts without an intake row. They carry a version or are repeated by the service that promised them.
 */

export const sessionChanged = event({
  subject: "payments.session.changed.v1",
  from: "payments",
  to: ["checkout"],
  meaning: "A payment session was created or changed; the whole of it, at a version.",
  naturalKey: "reference",
  forCopies: true,
  data: SessionSnapshot,
});

export const transferCompleted = event({
  subject: "payments.transfer.completed.v1",
  from: "payments",
  to: ["webhooks"],
  meaning: "A transfer came to an end, or a success was reversed; the ledger holds it. Published until it is recorded.",
  naturalKey: "key",
  data: z.object({
    /** The transfer and how it ended: `trf_…:success`. */
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
  }),
});

export const transferRecorded = event({
  subject: "webhooks.transfer.recorded.v1",
  from: "webhooks",
  to: ["payments"],
  meaning: "The merchant's event about a transfer is recorded and numbered; it need not be published again.",
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
