import { z } from "zod";
import { collectionAttached, collectionPosted, collectionSucceeded, transferCompleted } from "../events.ts";
import { Id, Instant, Kobo, MerchantScope, Metadata, Mode } from "../fields.ts";
import { request } from "../message.ts";
import { collectionReversed } from "../reversal-events.ts";
import { SessionSnapshot } from "../session-snapshot.ts";
import { OutboundOrder } from "./ledger.ts";
import { pageOf, walk } from "./recovery-pages.ts";

/** Requests with which a service whose database was restored gets lost data back from its peers. */

export const listOutboundTransfers = request({
  subject: "payments.recovery.transfers",
  callers: ["ledger", "statements"],
  meaning: "Transfers with a reserve, current or former, that changed since then.",
  deadlineMs: 10_000,
  input: z.object(walk),
  output: pageOf(
    z.object({
      ...{ transfer_id: Id, merchant: MerchantScope, amount: Kobo, order: OutboundOrder },
      /** Its outcome, as far as it is booked. */
      outcome: z.enum(["success", "failed", "reversed"]).nullable(),
      // An earlier release says neither when, nor the session of NIP under which the bank paid it.
      ...{ completed_at: Instant.nullish(), reversed_at: Instant.nullish(), session_id: z.string().nullish() },
      /** The partner that it was sent to: null before that. Absent where it is not known, and from an earlier release. */
      partner: z.string().nullish(),
    }),
  ),
});

export const listTransferReserves = request({
  subject: "ledger.recovery.reserves",
  callers: ["payments"],
  meaning: "The reserves and outcomes of transfers since then, with their orders: so that payments can restore them.",
  deadlineMs: 10_000,
  input: z.object(walk),
  output: pageOf(
    z.object({
      transfer_id: Id,
      merchant: MerchantScope,
      amount: Kobo,
      order: OutboundOrder.nullable(),
      reserved: z.boolean(),
    }),
  ),
});

export const listRecordedCollections = request({
  subject: "accounts.recovery.recorded",
  callers: ["webhooks"],
  meaning: "The numbers of collection events whose intakes completed since then: so that webhooks can restore them.",
  deadlineMs: 10_000,
  input: z.object(walk),
  output: pageOf(
    z.object({
      intake_id: Id,
      sequence: z.int().positive(),
      delivery_number: z.int().positive().nullable(),
      recorded_at: Instant.nullable(),
    }),
  ),
});

export const readCollectionFacts = request({
  subject: "payments.recovery.collections",
  callers: ["ledger", "webhooks"],
  meaning: "The facts of these collections as first published: so that webhooks can restore their events.",
  deadlineMs: 10_000,
  input: z.object({ intake_ids: z.array(Id).max(500) }),
  output: z.object({ collections: z.array(collectionSucceeded.data) }),
});

export const listTransferEvents = request({
  subject: "payments.recovery.events",
  callers: ["webhooks"],
  meaning:
    "The numbered events of transfers, attached collections, reversals and tests recorded since then: so that webhooks can restore them.",
  deadlineMs: 10_000,
  input: z.object(walk),
  output: pageOf(
    z.object({
      key: z.string(),
      merchant: MerchantScope,
      /** Of the event of a transfer. */
      transfer: transferCompleted.data.nullable(),
      /** Of the event of an attached collection, */
      attached: collectionAttached.data.optional(),
      /** or of a reversal. Without any it is a test event. */
      reversed: collectionReversed.data.optional(),
      sequence: z.int().positive(),
      delivery_number: z.int().positive().nullable(),
      recorded_at: Instant,
    }),
  ),
});

export const storeTestEvent = request({
  subject: "payments.recovery.keep_test_event",
  callers: ["webhooks"],
  meaning: "Store the numbers of a test event, so that no other event gets them after a restore.",
  input: z.object({
    key: z.string().max(300),
    merchant: MerchantScope,
    sequence: z.int().positive(),
    delivery_number: z.int().positive().nullable(),
    recorded_at: Instant,
  }),
  output: z.object({}),
});

export const readDecisions = request({
  subject: "webhooks.recovery.decisions",
  callers: ["payments"],
  meaning: "These collections as the merchants' events report them: so that payments can restore its decisions.",
  deadlineMs: 10_000,
  input: z.object({ intake_ids: z.array(Id).max(500) }),
  output: z.object({
    decisions: z.array(
      z.object({
        intake_id: Id,
        reference: Id,
        payment_reference: z.string().nullable(),
        merchant_reference: z.string().nullable(),
        customer_name: z.string().nullable(),
        /** Absent if the event does not have it. */
        metadata: Metadata.optional(),
      }),
    ),
  }),
});

export const listAttachments = request({
  subject: "webhooks.recovery.attachments",
  callers: ["payments"],
  meaning:
    "What collections were attached to, as the merchants' events since then report it: so that payments can repeat it.",
  deadlineMs: 10_000,
  input: z.object(walk),
  output: pageOf(
    z.object({
      intake_id: Id,
      merchant: MerchantScope,
      payment_reference: z.string().nullable(),
      merchant_reference: z.string().nullable(),
      customer_reference: z.string().nullable(),
      customer_name: z.string().nullable(),
      /** Absent if the event does not have it. */
      metadata: Metadata.optional(),
      attached_at: Instant,
    }),
  ),
});

export const listIntakes = request({
  subject: "payments.recovery.intakes",
  callers: ["accounts"],
  meaning:
    "Collections received in [from, to), with the bank's identifiers: so that accounts can restore the transfers.",
  deadlineMs: 10_000,
  input: z.object({ from: Instant, to: Instant, after: z.string() }),
  output: z.object({ intakes: z.array(collectionPosted.data), next: z.string().nullable() }),
});

export const findFirstReceived = request({
  subject: "accounts.recovery.first_received",
  callers: ["ledger", "payments"],
  meaning:
    "The time of the first transfer received since then, or null, and the whole minutes of receipt of earlier transfers that were completed since then.",
  deadlineMs: 15_000,
  input: z.object({ since: Instant }),
  output: z.object({
    received_at: Instant.nullable(),
    earlier: z.array(z.object({ from: Instant, to: Instant })),
  }),
});

/** Collections, or money in suspense, received in one minute. */
export const CountedMinute = z.object({
  mode: Mode,
  kind: z.enum(["collection", "suspense"]),
  minute: Instant,
  count: z.int(),
  sum: Kobo,
});
export type CountedMinute = z.output<typeof CountedMinute>;

export const countIntakes = request({
  subject: "accounts.recovery.minutes",
  callers: ["ledger", "payments"],
  meaning: "Count and sum of what accounts received in [from, to), at most a day, by mode, kind and minute.",
  deadlineMs: 15_000,
  input: z.object({ from: Instant, to: Instant }),
  output: z.object({ minutes: z.array(CountedMinute) }),
});

export const readIntakes = request({
  subject: "payments.recovery.read_intakes",
  callers: ["accounts"],
  meaning: "These collections, with the bank's identifiers: so that accounts can restore the transfers.",
  deadlineMs: 10_000,
  input: z.object({ intake_ids: z.array(Id).max(500) }),
  output: z.object({ intakes: z.array(collectionPosted.data) }),
});

export const listSessionCopies = request({
  subject: "checkout.recovery.sessions",
  callers: ["payments"],
  meaning: "Copies of sessions that payments published or confirmed since then: so that payments can restore them.",
  deadlineMs: 10_000,
  input: z.object({ since: Instant, after: z.string() }),
  output: z.object({ sessions: z.array(SessionSnapshot), next: z.string().nullable() }),
});

/** An account that was issued to a customer, or to the merchant itself; the latter has a position. */
export const IssuedAccount = z.object({
  id: Id,
  merchant: MerchantScope,
  customer: z.object({ reference: z.string(), name: z.string() }).nullable(),
  position: z.int().positive().nullable(),
  account_number: z.string(),
  account_name: z.string(),
  bank_name: z.string(),
  issue_request_id: z.string(),
  status: z.enum(["active", "retired"]),
  created_at: Instant,
  retired_at: Instant.nullable(),
  /** Absent from a copy of an earlier release. */
  metadata: Metadata.optional(),
  /** Which partner holds it. Null in test mode; absent from a copy of an earlier release. */
  partner: z.string().nullable().optional(),
});
export type IssuedAccount = z.output<typeof IssuedAccount>;

export const storeAccountCopies = request({
  subject: "payments.recovery.keep_accounts",
  callers: ["accounts"],
  meaning: "Store copies of these accounts in their current state.",
  input: z.object({ accounts: z.array(IssuedAccount).max(500) }),
  output: z.object({}),
});

export const listAccountCopies = request({
  subject: "payments.recovery.accounts",
  callers: ["accounts"],
  meaning: "Copies of accounts that were stored since then: so that accounts can restore them.",
  deadlineMs: 10_000,
  input: z.object(walk),
  output: pageOf(IssuedAccount),
});
