import { z } from "zod";
import { AccountNumber, CustomerReference, Mode, Naira, PositiveNaira, ReferenceQuery, UtcInstant } from "../fields.ts";
import { COLLECTED, CollectionMetadata, CollectionPayer, CollectionSuccess } from "./collection-events.ts";
import { CursorPage, cursorListOf, Timestamp } from "./lists.ts";
import { EVENT, ONE_CURSOR_PAGE, PAID_AT } from "./story.ts";

/** Naira in a query, `2500.73`, or as JSON. */
export const NairaQuery = z
  .union([z.number(), z.string().meta({ pattern: "^\\d{1,10}(\\.\\d{1,2})?$", maxLength: 13 })])
  .transform((amount) => (typeof amount === "string" && /^\d+(\.\d+)?$/.test(amount) ? Number(amount) : amount))
  .pipe(PositiveNaira);

/** Which collections. Every filter that is given has to match. */
export const ListCollections = CursorPage.extend({
  customer_reference: CustomerReference.optional().meta({
    description: "Received in the account of this customer of yours, or attached to the customer.",
  }),
  account_number: AccountNumber.optional().meta({ description: "Received in this account." }),
  payment_reference: ReferenceQuery.optional().meta({ description: "That paid this payment session." }),
  merchant_reference: ReferenceQuery.optional().meta({ description: "That paid a session with your reference." }),
  settlement_id: ReferenceQuery.optional().meta({
    description:
      "That this settlement settled, in the order in which they were recorded, oldest first. A page can have fewer than `limit`, or none, and not be the last: go on until `next` is null. Cannot be combined with another filter.",
  }),
  paid_from: UtcInstant.optional().meta({
    description: "Paid at or after this time, by the bank's clock. In a URL a `+` is sent as `%2B`; or use `Z`.",
  }),
  paid_to: UtcInstant.optional().meta({ description: "Paid before this time, by the bank's clock." }),
  amount: NairaQuery.optional().meta({ description: "Of exactly this amount in naira, kobo included." }),
});

/** A reversal, where its collection is shown. */
const CollectionReversalLine = z.object({
  reference: z.string().meta({ description: "The `data.reference` of its `collection.reversed`, `rev_…`." }),
  amount: Naira.meta({ description: "What the bank took back, in naira." }),
  fee: Naira.meta({ description: "Our fee on it, which you got back." }),
  net: Naira.meta({ description: "`amount` less `fee`: what was taken from your balances." }),
  reversed_at: Timestamp.meta({ description: "When the bank took it back, by its clock." }),
});

/** Money that was received: the data of its `collection.success`, and what is known of it by now. */
export const Collection = CollectionSuccess.shape.data
  .extend({
    payer: CollectionPayer,
    metadata: CollectionMetadata,
    settlement_id: z.string().nullable().meta({ description: "The settlement that settled it; null until then." }),
    event: z
      .object({
        id: z.string().meta({ description: "Its `webhook-id`, which `GET /events/{id}` takes." }),
        sequence: z.int().meta({ description: "Its number in the log, the `X-Service-Sequence`." }),
      })
      .nullable()
      .meta({ description: "Its `collection.success` in the event log; null for the moment until it is recorded." }),
    bank_session_id: z.string().nullable().optional().meta({
      description:
        "The NIP session id, by which the payer's bank and ours trace the transfer: quote it when a payer asks where the money is. Null if the bank did not report it.",
    }),
    created_at: Timestamp.meta({
      description: "When it was recorded, with the customer or session that it matched, if there is one.",
    }),
    attached_at: Timestamp.nullable().meta({
      description:
        "When your team attached it to its session or customer, which `collection.attached` reports; null if it was matched by itself, or to nothing.",
    }),
    amount_reversed: Naira.optional().meta({
      description: "How much of it the bank took back, in naira; absent if it took nothing.",
    }),
    reversals: z
      .array(CollectionReversalLine)
      .optional()
      .meta({ description: "What the bank took back, in the order in which it did; absent if it took nothing." }),
    mode: Mode,
  })
  .meta({
    id: "Collection",
    description: "Money that was received: the data of its `collection.success`, and what is known of it by now.",
    examples: [exampleOfCollection()],
  });
export type Collection = z.output<typeof Collection>;

export const CollectionList = cursorListOf(Collection).meta({
  id: "CollectionList",
  description: "A page of collections.",
  examples: [{ data: [exampleOfCollection()], ...ONE_CURSOR_PAGE }],
});

function exampleOfCollection() {
  return {
    ...COLLECTED.data,
    settlement_id: null,
    event: EVENT,
    bank_session_id: "090267261121093000123456789012",
    created_at: PAID_AT,
    attached_at: null,
    mode: "test",
  };
}
