import { z } from "zod";
import { Actor } from "../actor.ts";
import { AmountRange, Browse, browseOf, Search, SearchText, Selected, Span, totalsOf } from "../browse.ts";
import { AccountNumber, CustomerReference, Id, Instant, Metadata, Mode, Naira, ReferenceQuery } from "../fields.ts";
import { Collection, CollectionList, ListCollections } from "../merchant-api/collections.ts";
import { SESSION_STATUSES } from "../merchant-api/session.ts";
import { request } from "../message.ts";
import { byMerchant, byScope } from "./merchant.ts";

/** Collections for merchants' servers; then collections and payers for the dashboard. */

export const listCollections = request({
  subject: "payments.collection.list",
  callers: ["gateway"],
  meaning: "Collections of one merchant and mode with their settlements and events, newest first by the bank's time.",
  input: byScope.extend(ListCollections.shape),
  output: CollectionList,
});

export const readCollection = request({
  subject: "payments.collection.read",
  callers: ["gateway"],
  meaning: "One collection of a merchant and mode by its reference.",
  input: byScope.extend({ reference: ReferenceQuery }),
  output: Collection,
});

const PayerRecord = z.object({
  id: z.string(),
  name: z.string(),
  account_number: z.string().nullable(),
  bank_name: z.string().nullable(),
});

export const CollectionRecord = z.object({
  reference: z.string(),
  amount: Naira,
  fee: Naira,
  net: Naira,
  currency: z.literal("NGN"),
  customer_reference: CustomerReference.nullable(),
  customer_name: z.string().nullable(),
  account_number: AccountNumber,
  payer: PayerRecord,
  payment_reference: z.string().nullable(),
  merchant_reference: z.string().nullable(),
  /** By the bank's clock. */
  paid_at: Instant,
  /** When we received it, and when it was matched and got its reference. */
  received_at: Instant,
  created_at: Instant,
  /** When a person attached it; null if it was matched by itself, or to nothing. */
  attached_at: Instant.nullable(),
  mode: Mode,
  /** How much of it the bank took back; absent if it took nothing. */
  amount_reversed: Naira.optional(),
});
export type CollectionRecord = z.output<typeof CollectionRecord>;

const ReversalRecord = z.object({
  reference: z.string(),
  amount: Naira,
  fee: Naira,
  net: Naira,
  /** By the bank's clock, and when the ledger booked it. */
  reversed_at: Instant,
  posted_at: Instant,
  /** Of its event; null until that is recorded. */
  sequence: z.int().positive().nullable(),
});

/** Which collections. Every filter that is given has to match. */
const CollectionFilters = byScope.extend({
  ...Span.shape,
  ...AmountRange.shape,
  ...Selected.shape,
  customer_reference: CustomerReference.optional(),
  payer_id: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  /** Only money that matches neither a session nor a customer. */
  match: z.literal("none").optional(),
  /** Only those of which the bank took something back. */
  taken_back: z.literal("yes").optional(),
  search: Search,
});

export const browseCollections = request({
  subject: "payments.collection.browse",
  callers: ["dashboard"],
  meaning:
    "Collections of one merchant and mode, newest first by the bank's time. Those that the ledger or webhooks have to find are in the order of these.",
  input: CollectionFilters.extend({
    ...Browse.shape,
    settled: z.enum(["yes", "no"]).optional(),
    /** Their event is being tried again, or was given up. */
    webhook: z.enum(["failing", "exhausted"]).optional(),
  }),
  output: browseOf(CollectionRecord),
});

export const sumCollections = request({
  subject: "payments.collection.sum",
  callers: ["dashboard"],
  meaning:
    "How many collections match the filters of the list, and their sums; null above 10,000, which are not counted.",
  input: CollectionFilters,
  output: totalsOf({ amount: Naira, fee: Naira, net: Naira }),
});

export const getCollection = request({
  subject: "payments.collection.get",
  callers: ["dashboard"],
  meaning: "One collection, with the intake id that identifies it in the other services.",
  input: byScope.extend({ reference: z.string().max(100) }),
  output: z.object({
    collection: CollectionRecord.extend({ metadata: Metadata }),
    intake_id: Id,
    posted_at: Instant,
    /** The member who attached it; null if it was matched by itself, or where that was not recorded. */
    attached_by: Actor.nullable().optional(),
    /** What the bank took back of it, in that order; absent if it took nothing. */
    reversals: z.array(ReversalRecord).optional(),
  }),
});

/** What attaching makes of a session: its status, and what is then missing, or too much. */
const AfterAttaching = z.object({ status: z.enum(SESSION_STATUSES), missing: Naira, excess: Naira });

export const listAttachable = request({
  subject: "payments.collection.attachable",
  callers: ["dashboard"],
  meaning:
    "Sessions that an unmatched collection may be for, the likeliest first by amount, payer and time; with a text, those that it names.",
  input: byScope.extend({ reference: Id.max(100), text: SearchText.optional() }),
  output: z.object({
    sessions: z.array(
      z.object({
        reference: z.string(),
        merchant_reference: z.string().nullable(),
        name: z.string().nullable(),
        amount: Naira,
        amount_received: Naira,
        status: z.enum(SESSION_STATUSES),
        created_at: Instant,
        /** Null if the session takes no more money. */
        after: AfterAttaching.nullable(),
      }),
    ),
    payer_name: z.string(),
  }),
});

/** Exactly one of the two. */
const AttachTo = {
  payment_reference: Id.max(100).optional(),
  customer_reference: CustomerReference.optional(),
};

export const attachCollection = request({
  subject: "payments.collection.attach",
  callers: ["dashboard"],
  sealed: "orders",
  meaning:
    "Attach a collection that matched nothing to a session or a customer, once. A repeat gets the same response, and another target is refused.",
  deadlineMs: 10_000,
  input: byMerchant.extend({ reference: Id.max(100), ...AttachTo }),
  output: z.object({
    collection: CollectionRecord,
    /** The session as it is now; null if it was attached to a customer. */
    session: z
      .object({ reference: z.string(), status: z.enum(SESSION_STATUSES), amount: Naira, amount_received: Naira })
      .nullable(),
  }),
});

export const readCollections = request({
  subject: "payments.collections.read",
  callers: ["ledger", "dashboard"],
  meaning: "Collections by their intake ids; those of other merchants are omitted.",
  input: byScope.extend({ intake_ids: z.array(Id).max(500) }),
  output: z.object({ collections: z.array(CollectionRecord.extend({ intake_id: Id })) }),
});

/** A day of Africa/Lagos. */
export const Day = z.iso.date();

export const sumCollectionDays = request({
  subject: "payments.collection.sum_days",
  callers: ["dashboard"],
  meaning:
    "The amounts collected per day (Africa/Lagos, by the bank's time); days without collections are omitted. At most 92 days.",
  input: byScope.extend({ from: Day, to: Day }),
  output: z.object({ days: z.array(z.object({ day: Day, count: z.int(), amount: Naira, fee: Naira, net: Naira })) }),
});

export const browsePayers = request({
  subject: "payments.payer.browse",
  callers: ["dashboard"],
  meaning: "The payers of a merchant, newest first.",
  input: byScope.extend({
    ...Browse.shape,
    ...Selected.shape,
    search: Search,
  }),
  output: browseOf(PayerRecord.extend({ first_paid_at: Instant, last_paid_at: Instant })),
});
