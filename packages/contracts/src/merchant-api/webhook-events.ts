import { z } from "zod";
import { AccountNumber, CustomerReference, Mode, Naira } from "../fields.ts";
import { Timestamp } from "./lists.ts";
import { Transfer } from "./transfers.ts";

/** The envelopes of webhooks. Each is serialised once: every attempt sends the same bytes. */

export const CollectionSuccess = z.object({
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
        "The payment session that the money paid; null for money of no session, also when it was paid before one.",
    }),
    merchant_reference: z.string().nullable(),
  }),
});

const transferEvent = <Kind extends string>(kind: Kind) =>
  z.object({ event: z.literal(kind), mode: Mode, created_at: Timestamp, data: Transfer });
export const TransferSuccess = transferEvent("transfer.success");
export const TransferFailed = transferEvent("transfer.failed");
export const TransferReversed = transferEvent("transfer.reversed");

/** What a merchant's people send to see whether their server gets it. It is about no money. */
export const WebhookTest = z
  .object({
    event: z.literal("webhook.test"),
    mode: Mode,
    created_at: Timestamp,
    data: z.object({ message: z.string(), reference: z.string() }),
  })
  .meta({
    examples: [
      {
        event: "webhook.test",
        mode: "test",
        created_at: "2026-11-21T09:30:00.123+00:00",
        data: { message: "This is a test. No money has moved.", reference: "tst_4f7a0c1e9b2d83650a1c7e42" },
      },
    ],
  });

/** Every event a merchant's server can get, told apart by `event`. */
export const WebhookEvent = z.discriminatedUnion("event", [
  CollectionSuccess,
  TransferSuccess,
  TransferFailed,
  TransferReversed,
  WebhookTest,
]);

/** Their kinds. */
export const WEBHOOK_KINDS = WebhookEvent.options.map(({ shape }) => shape.event.value);
