import type { CollectionSuccess, collectionSucceeded, Fact, MerchantScope } from "@collect/contracts";
import { naira } from "@collect/money";
import type { z } from "zod";

/** What a merchant is to be told, before it has its number. The body is serialised here and never again. */
export type EventDraft = {
  /** Kind and intake id: what makes a repeat the same event. */
  key: string;
  merchant: MerchantScope;
  kind: string;
  reference: string;
  amountKobo: bigint;
  body: Buffer;
  /** RFC 3339, as it stands in the body. */
  createdAt: string;
};

type Collection = Fact<typeof collectionSucceeded>;

/** The event of a collection. `now` becomes its `created_at`. */
export function collectionSuccess(collection: Collection, now: Date): EventDraft {
  const createdAt = now.toISOString().replace("Z", "+00:00");
  const envelope = {
    event: "collection.success",
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
      customer_name: collection.customer?.name ?? null,
      account_number: collection.accountNumber,
      payer_name: collection.payer.name,
      paid_at: collection.paidAt,
      payment_reference: collection.paymentReference,
      merchant_reference: collection.merchantReference,
    },
  } satisfies z.input<typeof CollectionSuccess>;
  return {
    key: collectionKey(collection.intakeId),
    merchant: collection.merchant,
    kind: envelope.event,
    reference: collection.reference,
    amountKobo: collection.amount,
    body: Buffer.from(JSON.stringify(envelope)),
    createdAt,
  };
}

export function collectionKey(intakeId: string): string {
  return `collection.success:${intakeId}`;
}
