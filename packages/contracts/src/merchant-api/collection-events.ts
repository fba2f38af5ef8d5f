import { z } from "zod";
import { AccountNumber, Currency, CustomerReference, Metadata, Naira } from "../fields.ts";
import { envelope } from "./envelope.ts";
import { Timestamp } from "./lists.ts";
import { RECEIVED_MONEY } from "./received-money.ts";
import { ACCOUNT, ATTACHED, COLLECTION, CUSTOMER, METADATA, ORDER, PAID_AT, SESSION } from "./story.ts";

/** The webhooks about money that was received, attached or taken back. */

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

const REVERSED = {
  event: "collection.reversed",
  mode: "test",
  created_at: PAID_AT,
  data: {
    reference: "rev_4uQx7TqPz2mWkNfB8sYcVh",
    collection_reference: COLLECTION.reference,
    amount: COLLECTION.amount,
    fee: COLLECTION.fee,
    net: COLLECTION.net,
    currency: "NGN",
    collection_amount: COLLECTION.amount,
    amount_reversed: COLLECTION.amount,
    account_number: ACCOUNT.account_number,
    customer_reference: CUSTOMER.customer_reference,
    payment_reference: SESSION.reference,
    merchant_reference: ORDER.reference,
    reversed_at: PAID_AT,
  },
};

/** The metadata of a collection. */
export const CollectionMetadata = Metadata.meta({
  description:
    "The metadata of the payment session that it paid, also if that is `{}`; without a session, that of the customer's account. Of money that was attached, that of the session or customer it was attached to.",
});
/** What the previous release recorded is sent again as it was. */
const SINCE = "Absent from events recorded before it was added, on 2026-11-22.";

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

/** The event about money that the bank took back. */
export const CollectionReversed = z
  .object({
    ...envelope("collection.reversed"),
    data: z
      .object({
        reference: z.string().meta({ description: "Of the reversal, `rev_…`. Act on it once." }),
        collection_reference: z.string().meta({ description: "The `data.reference` of the `collection.success`." }),
        amount: Naira.meta({ description: "What the bank took back of the collection, in naira." }),
        fee: Naira.meta({ description: "Our fee on it, in naira, which you get back." }),
        net: Naira.meta({ description: "`amount` less `fee`, in naira: what is taken from your balances." }),
        currency: Currency,
        collection_amount: Naira.meta({ description: "What the collection was, in naira." }),
        amount_reversed: Naira.meta({
          description: "How much of the collection the bank has taken back so far, this part included, in naira.",
        }),
        account_number: AccountNumber.meta({ description: "The account that had received the money." }),
        customer_reference: CustomerReference.nullable().meta({
          description: "Your own key for the customer of the collection; null without one.",
        }),
        payment_reference: z.string().nullable().meta({
          description: "The payment session that the collection paid; null without one. Its status stays as it was.",
        }),
        merchant_reference: z.string().nullable().meta({
          description: "Your order id of that session; null without a session, or if you sent none.",
        }),
        reversed_at: Timestamp.meta({ description: "When the bank took it back, by its clock." }),
      })
      .meta({ description: "What the bank took back." }),
  })
  .meta({
    id: "CollectionReversedEvent",
    description:
      "The bank took back a collection, or a part of it. Our fee on it is given back; the rest is taken from Collected, then from Settled, and what both lack is owed and taken from what is received next.",
    examples: [REVERSED],
  });
