import { createHash } from "node:crypto";
import {
  type CollectionAttached,
  type CollectionReversed,
  type CollectionSuccess,
  type collectionReversed,
  type collectionSucceeded,
  type Fact,
  instantOf,
  type MerchantScope,
  type TransferFailed,
  type TransferReversed,
  type TransferSuccess,
  type transferCompleted,
  type WebhookTest,
} from "@collect/contracts";
import { naira } from "@collect/money";
import type { z } from "zod";

/** An event before it has its number. The body is serialized here and never again. */
export type EventDraft = {
  /** Kind and intake id, or kind and transfer reference: a repeat has the same key. */
  key: string;
  merchant: MerchantScope;
  kind: string;
  reference: string;
  amountKobo: bigint;
  body: Buffer;
  /** RFC 3339, as in the body. */
  createdAt: string;
  /** When accounts received the money; null when the event is not about a collection. */
  receivedAt: string | null;
};

type Collection = Fact<typeof collectionSucceeded>;
type CompletedTransfer = Fact<typeof transferCompleted>;
type TransferEnvelope = z.input<typeof TransferSuccess | typeof TransferFailed | typeof TransferReversed>;

/** The event of a collection. `now` becomes its `created_at`. */
export function collectionSuccess(collection: Collection, now: Date): EventDraft {
  const { intakeId, receivedAt } = collection;
  return { ...collectionEvent("collection.success", collection, now), key: collectionKey(intakeId), receivedAt };
}

/** The event of a collection that was attached. It is no money: only the other has the time of receipt, by which money is counted. */
export function collectionAttached(collection: Collection, now: Date): EventDraft {
  const key = attachedKey(collection.intakeId);
  return { ...collectionEvent("collection.attached", collection, now), key, receivedAt: null };
}

type CollectionEnvelope = z.input<typeof CollectionSuccess | typeof CollectionAttached>;

function collectionEvent(event: CollectionEnvelope["event"], collection: Collection, now: Date) {
  const createdAt = instantOf(now);
  const envelope = {
    event,
    mode: collection.merchant.mode,
    created_at: createdAt,
    data: {
      reference: collection.reference,
      amount: naira(collection.amount),
      fee: naira(collection.fee),
      net: naira(collection.net),
      currency: collection.currency,
      rail: "bank",
      customer_reference: collection.customer?.reference ?? null,
      customer_name: collection.customer?.name ?? collection.payerDetailsName ?? null,
      account_number: collection.accountNumber,
      payer_name: collection.payer.name,
      paid_at: collection.paidAt,
      payment_reference: collection.paymentReference,
      merchant_reference: collection.merchantReference,
      ...addedTo(collection),
    },
  } satisfies CollectionEnvelope;
  return {
    merchant: collection.merchant,
    kind: event,
    reference: collection.reference,
    amountKobo: collection.amount,
    body: Buffer.from(JSON.stringify(envelope)),
    createdAt,
  };
}

/** A fact without metadata is of an earlier release, as is the body that was recorded for it: it stays the same to the byte. */
function addedTo({ payer, metadata }: Collection) {
  if (!metadata) return {};
  return {
    payer: { name: payer.name, account_number: payer.accountNumber, bank_name: payer.bankName },
    metadata,
  };
}

export function collectionKey(intakeId: string): string {
  return `collection.success:${intakeId}`;
}

const ATTACHED = "collection.attached:";
export const attachedKey = (intakeId: string): string => `${ATTACHED}${intakeId}`;
/** The intake id of a collection's attachment, by the key of its event. */
export const attachedOf = (key: string): string => key.slice(ATTACHED.length);

type Reversed = Fact<typeof collectionReversed>;

/** The event of what a bank took back. It is no money of a minute: that is the collection's. */
export function collectionReversal(reversal: Reversed, now: Date): EventDraft {
  const createdAt = instantOf(now);
  const envelope = {
    event: "collection.reversed",
    mode: reversal.merchant.mode,
    created_at: createdAt,
    data: {
      reference: reversal.reference,
      collection_reference: reversal.collectionReference,
      amount: naira(reversal.amount),
      fee: naira(reversal.fee),
      net: naira(reversal.net),
      currency: reversal.currency,
      collection_amount: naira(reversal.collectionAmount),
      amount_reversed: naira(reversal.amountReversed),
      account_number: reversal.accountNumber,
      customer_reference: reversal.customerReference,
      payment_reference: reversal.paymentReference,
      merchant_reference: reversal.merchantReference,
      reversed_at: reversal.reversedAt,
    },
  } satisfies z.input<typeof CollectionReversed>;
  return {
    key: reversedKey(reversal.intakeId),
    merchant: reversal.merchant,
    kind: envelope.event,
    reference: reversal.reference,
    amountKobo: reversal.amount,
    body: Buffer.from(JSON.stringify(envelope)),
    createdAt,
    receivedAt: null,
  };
}

export const reversedKey = (intakeId: string): string => `collection.reversed:${intakeId}`;

/** The event of a completed transfer; its data is the transfer as the API returns it. */
export function transferEvent(transfer: CompletedTransfer, now: Date): EventDraft {
  const createdAt = instantOf(now);
  const envelope = {
    event: `transfer.${transfer.status}`,
    mode: transfer.merchant.mode,
    created_at: createdAt,
    data: {
      reference: transfer.reference,
      merchant_reference: transfer.merchantReference,
      status: transfer.status,
      amount: naira(transfer.amount),
      fee: naira(transfer.fee),
      currency: transfer.currency,
      bank_code: transfer.bankCode,
      bank_name: transfer.bankName,
      account_number: transfer.accountNumber,
      account_name: transfer.accountName,
      narration: transfer.narration,
      failure_code: transfer.failureCode,
      failure_reason: transfer.failureReason,
      ...(transfer.metadata && { metadata: transfer.metadata }),
      mode: transfer.merchant.mode,
      created_at: transfer.createdAt,
      completed_at: transfer.completedAt,
    },
  } satisfies TransferEnvelope;
  return {
    key: transferKey(transfer),
    merchant: transfer.merchant,
    kind: envelope.event,
    reference: transfer.reference,
    amountKobo: transfer.amount,
    body: Buffer.from(JSON.stringify(envelope)),
    createdAt,
    receivedAt: null,
  };
}

export function transferKey({ status, reference }: Pick<CompletedTransfer, "status" | "reference">): string {
  return `transfer.${status}:${reference}`;
}

const testKey = ({ id, mode }: MerchantScope, requestId: string) => `webhook.test:${mode}:${id}:${requestId}`;

/** The id of the request that created a test event; undefined when the key is not of one of this merchant's test events. */
export function parseTestKey(key: string, merchant: MerchantScope): string | undefined {
  const prefix = testKey(merchant, "");
  return key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
}

/** A test event. One request creates one event, however often it is redelivered; the reference is derived from the request. */
export function testEvent(merchant: MerchantScope, requestId: string, now: Date): EventDraft {
  const key = testKey(merchant, requestId);
  const createdAt = instantOf(now);
  const reference = `tst_${createHash("sha256").update(key).digest("hex").slice(0, 24)}`;
  const envelope = {
    event: "webhook.test",
    mode: merchant.mode,
    created_at: createdAt,
    data: { message: "This is a test. No money has moved.", reference },
  } satisfies z.input<typeof WebhookTest>;
  return {
    key,
    merchant,
    kind: envelope.event,
    reference,
    amountKobo: 0n,
    body: Buffer.from(JSON.stringify(envelope)),
    createdAt,
    receivedAt: null,
  };
}
