import { z } from "zod";
import { AccountNumber, CustomerReference, Mode, Naira } from "../fields.ts";
import { Timestamp } from "./lists.ts";
import { ACCOUNT, COLLECTION, CREATED_AT, CUSTOMER, ORDER, PAID_AT, SESSION, TRANSFER } from "./story.ts";
import { Transfer } from "./transfers.ts";

/** The envelopes of webhooks. Each is serialized once: every attempt sends the same bytes. */

export const CollectionSuccess = z
  .object({
    event: z.literal("collection.success"),
    mode: Mode,
    created_at: Timestamp,
    data: z.object({
      reference: z.string(),
      amount: Naira,
      fee: Naira,
      net: Naira,
      currency: z.literal("NGN"),
      rail: z.literal("bank"),
      customer_reference: CustomerReference.nullable(),
      customer_name: z.string().nullable(),
      account_number: AccountNumber,
      payer_name: z.string(),
      paid_at: Timestamp,
      payment_reference: z.string().nullable().meta({
        description:
          "The payment session that the transfer paid; null if it paid none, for example because it was sent before one was created.",
      }),
      merchant_reference: z.string().nullable(),
    }),
  })
  .meta({
    id: "CollectionSuccessEvent",
    examples: [
      {
        event: "collection.success",
        mode: "test",
        created_at: PAID_AT,
        data: {
          ...COLLECTION,
          currency: "NGN",
          rail: "bank",
          ...CUSTOMER,
          account_number: ACCOUNT.account_number,
          payer_name: "NGOZI EZE",
          payment_reference: SESSION.reference,
          merchant_reference: ORDER.reference,
        },
      },
    ],
  });

export const TransferSuccess = transferEvent("transfer.success").meta({
  id: "TransferSuccessEvent",
  examples: [exampleOf("success")],
});
export const TransferFailed = transferEvent("transfer.failed").meta({
  id: "TransferFailedEvent",
  examples: [exampleOf("failed", "declined", "The beneficiary's bank declined the transfer.")],
});
export const TransferReversed = transferEvent("transfer.reversed").meta({
  id: "TransferReversedEvent",
  examples: [exampleOf("reversed", "returned", "The beneficiary's bank returned the money.")],
});

/** Sent by a merchant's team to check that their server receives webhooks. No money is involved. */
export const WebhookTest = z
  .object({
    event: z.literal("webhook.test"),
    mode: Mode,
    created_at: Timestamp,
    data: z.object({ message: z.string(), reference: z.string() }),
  })
  .meta({
    id: "WebhookTestEvent",
    examples: [
      {
        event: "webhook.test",
        mode: "test",
        created_at: CREATED_AT,
        data: { message: "This is a test. No money has moved.", reference: "tst_4f7a0c1e9b2d83650a1c7e42" },
      },
    ],
  });

/** Every event that a merchant's server can receive, discriminated by `event`. */
export const WebhookEvent = z.discriminatedUnion("event", [
  CollectionSuccess,
  TransferSuccess,
  TransferFailed,
  TransferReversed,
  WebhookTest,
]);

export const WEBHOOK_KINDS = WebhookEvent.options.map(({ shape }) => shape.event.value);

function transferEvent<Kind extends string>(kind: Kind) {
  return z.object({ event: z.literal(kind), mode: Mode, created_at: Timestamp, data: Transfer });
}

function exampleOf(status: string, failure_code: string | null = null, failure_reason: string | null = null) {
  const data = { ...TRANSFER, status, failure_code, failure_reason };
  return { event: `transfer.${status}`, mode: "test", created_at: PAID_AT, data };
}
