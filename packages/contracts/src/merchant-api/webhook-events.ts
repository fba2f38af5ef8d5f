import { z } from "zod";
import { AccountNumber, Currency, CustomerReference, Metadata, Mode } from "../fields.ts";
import { Timestamp } from "./lists.ts";
import { RECEIVED_MONEY } from "./received-money.ts";
import {
  ACCOUNT,
  ATTACHED,
  COLLECTION,
  CREATED_AT,
  CUSTOMER,
  METADATA,
  ORDER,
  PAID_AT,
  SESSION,
  TRANSFER,
} from "./story.ts";
import { Transfer } from "./transfers.ts";

/** The envelopes of webhooks. Each is serialized once: every attempt sends the same bytes. */

/** The example, which the event log shows as its body. */
export const COLLECTED = {
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
    payer: { name: "NGOZI EZE", account_number: "0123456789", bank_name: "First Bank" },
    metadata: METADATA,
  },
};

/** The metadata of a collection. */
export const CollectionMetadata = Metadata.meta({
  description:
    "The metadata of the payment session that it paid, also if that is `{}`; without a session, that of the customer's account. Of money that was attached, that of the session or customer it was attached to.",
});
/** What the previous release recorded is sent again as it was. */
const SINCE = "Absent from events recorded before 2026-11-23.";

export const CollectionPayer = z
  .object({
    name: z.string().meta({ description: "The same as `payer_name`." }),
    account_number: z.string().nullable().meta({ description: "Null if the bank did not report it." }),
    bank_name: z.string().nullable().meta({ description: "Null if the bank did not report it." }),
  })
  .meta({ description: "The sender, as far as the bank reported it." });

const CollectionData = z.object({
  reference: z.string().meta({
    description:
      "Credit it once. The first transfer that is matched to a session has the session's `reference`, `pay_…`; every other has one of its own, `col_…`.",
  }),
  ...RECEIVED_MONEY,
  currency: Currency,
  rail: z.literal("bank").meta({ description: "How the money was sent: by bank transfer. Further ways may be added." }),
  customer_reference: CustomerReference.nullable().meta({
    description:
      "Your own key for the customer: the one in whose account the money was received, or to whom your team attached it. Null without one.",
  }),
  customer_name: z.string().nullable().meta({
    description:
      "The customer's name, or else the name that the payer gave at the checkout; null without either. `Erased` once the person was erased.",
  }),
  account_number: AccountNumber.meta({ description: "The account that received the money." }),
  payer_name: z.string().meta({
    description: "The sender, as the bank reported it; empty if it reported none. Do not match on it.",
  }),
  paid_at: Timestamp.meta({ description: "When it was paid, by the bank's clock." }),
  payment_reference: z.string().nullable().meta({
    description:
      "The payment session that the transfer paid, or to which your team attached it. Null if there is none, for example because it was sent before one was created.",
  }),
  merchant_reference: z.string().nullable().meta({
    description: "Your order id of that session; null without a session, or if you sent none.",
  }),
  payer: CollectionPayer.optional().meta({
    description: `The sender, as far as the bank reported it. ${SINCE}`,
  }),
  metadata: CollectionMetadata.optional().meta({
    description: `${CollectionMetadata.meta()?.description} ${SINCE}`,
  }),
});

export const CollectionSuccess = z
  .object({
    ...envelope("collection.success"),
    data: CollectionData.meta({ description: "The transfer that was received." }),
  })
  .meta({
    id: "CollectionSuccessEvent",
    description: "Money was received in a customer's account or in a collection account.",
    examples: [COLLECTED],
  });

/** The event about money that matched nothing, once a person has said whose it is. */
export const CollectionAttached = z
  .object({
    ...envelope("collection.attached"),
    data: CollectionData.meta({
      description: "The transfer as in its `collection.success`, and the session or customer that it belongs to now.",
    }),
  })
  .meta({
    id: "CollectionAttachedEvent",
    description:
      "Your team attached money that had matched nothing to a payment session or a customer. No further money was received: its `collection.success` had the same `data.reference`.",
    examples: [{ ...COLLECTED, event: "collection.attached", data: { ...COLLECTED.data, ...ATTACHED } }],
  });

const TransferData = Transfer.extend({
  metadata: Metadata.optional().meta({
    description: "As you sent it with the order. Absent if that was before 2026-11-23.",
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

function envelope<Kind extends string>(kind: Kind) {
  return {
    event: z.literal(kind).meta({ description: "The kind of event, as in `X-Service-Event`." }),
    mode: Mode,
    created_at: Timestamp.meta({
      description: "When the event was recorded; the same in every attempt to deliver it.",
    }),
  };
}

function exampleOf(status: string, failure_code: string | null = null, failure_reason: string | null = null) {
  const data = { ...TRANSFER, status, failure_code, failure_reason };
  return { event: `transfer.${status}`, mode: "test", created_at: PAID_AT, data };
}
