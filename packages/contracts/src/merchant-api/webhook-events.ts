import { z } from "zod";
import { Metadata } from "../fields.ts";
import { CollectionAttached, CollectionReversed, CollectionSuccess } from "./collection-events.ts";
import { envelope } from "./envelope.ts";
import { CREATED_AT, PAID_AT, TRANSFER } from "./story.ts";
import { Transfer } from "./transfers.ts";

/** The envelopes of webhooks. Each is serialized once: every attempt sends the same bytes. */

const TransferData = Transfer.extend({
  metadata: Metadata.optional().meta({
    description: "As you sent it with the order. Absent if that was before it was added, on 2026-11-22.",
  }),
}).meta({ id: "TransferEventData", description: "The transfer, at that time.", examples: [TRANSFER] });

export const TransferSuccess = transferEvent("transfer.success").meta({
  id: "TransferSuccessEvent",
  description: "The beneficiary's bank accepted a transfer.",
  examples: [exampleOf("success")],
});
export const TransferFailed = transferEvent("transfer.failed").meta({
  id: "TransferFailedEvent",
  description: "A transfer failed, and its money is back in Settled.",
  examples: [exampleOf("failed", "declined", "The beneficiary's bank declined the transfer.")],
});
export const TransferReversed = transferEvent("transfer.reversed").meta({
  id: "TransferReversedEvent",
  description: "The bank reversed a successful transfer, and its money is back in Settled.",
  examples: [exampleOf("reversed", "returned", "The beneficiary's bank returned the money.")],
});

/** Sent by a merchant's team to check that their server receives webhooks. No money is involved. */
export const WebhookTest = z
  .object({
    ...envelope("webhook.test"),
    data: z
      .object({
        message: z.string().meta({ description: "Says that it is a test." }),
        reference: z.string().meta({ description: "The id of the test, `tst_…`. Credit nothing." }),
      })
      .meta({ description: "Nothing to act on." }),
  })
  .meta({
    id: "WebhookTestEvent",
    description: "A member of your team sent it from the dashboard to test your endpoint. No money is involved.",
    examples: [
      {
        event: "webhook.test",
        mode: "test",
        created_at: CREATED_AT,
        data: { message: "This is a test. No money has moved.", reference: "tst_4f7a0c1e9b2d83650a1c7e42" },
      },
    ],
  });

/** Sent to a new URL, which gets events once it has answered with the challenge. It is not recorded and has no numbers. */
export const EndpointChallenge = z
  .object({
    ...envelope("endpoint.challenge"),
    data: z
      .object({
        challenge: z.string().meta({ description: "Respond with it, as the body or in a JSON field `challenge`." }),
        reference: z.string().meta({ description: "The id of the challenge, `chl_…`." }),
      })
      .meta({ description: "What to respond with." }),
  })
  .meta({
    id: "EndpointChallengeEvent",
    description:
      "Sent to a new webhook URL. Respond with `data.challenge`, as the body or in a JSON field `challenge`, to receive events there.",
    examples: [
      {
        event: "endpoint.challenge",
        mode: "live",
        created_at: CREATED_AT,
        data: {
          challenge: "9f4c2b7a1d3e8560c7b1a2f4d5e6978812ab34cd56ef7890",
          reference: "chl_1c7e429b2d83650a4f7a0c1e",
        },
      },
    ],
  });

const RECORDED = [
  CollectionSuccess,
  CollectionAttached,
  CollectionReversed,
  TransferSuccess,
  TransferFailed,
  TransferReversed,
  WebhookTest,
] as const;

/** Everything that a merchant's server can receive, discriminated by `event`. */
export const WebhookEvent = z.discriminatedUnion("event", [...RECORDED, EndpointChallenge]);

/** The kinds of events in a merchant's log. */
export const WEBHOOK_KINDS = RECORDED.map(({ shape }) => shape.event.value);

function transferEvent<Kind extends string>(kind: Kind) {
  return z.object({ ...envelope(kind), data: TransferData });
}

function exampleOf(status: string, failure_code: string | null = null, failure_reason: string | null = null) {
  const data = { ...TRANSFER, status, failure_code, failure_reason };
  return { event: `transfer.${status}`, mode: "test", created_at: PAID_AT, data };
}
