import {
  browseOf,
  browseSettlementLines,
  CollectionRecord,
  findEvents,
  getApiCall,
  getCollection,
  getInboundTransfer,
  getTransaction,
  getVerification,
  getWebhookEndpoint,
  Id,
  Instant,
  listAttachable,
  MemberRole,
  Mode,
  searchCustomers,
  searchPayments,
  showMerchant,
  showTransfer,
} from "@collect/contracts";
import { z } from "zod";
import { REPORTS } from "../domain/report-schedule.ts";
import { TRACED } from "../domain/traced-record.ts";

/** The responses that the dashboard composes itself. */

const Events = findEvents.output.shape.events.nullable();

/** A collection with its inbound transfer, its ledger transaction and its events; null where a service is unavailable. */
export const CollectionTimeline = getCollection.output.extend({
  /** The name of the member who attached it; null without one who is still in the team. */
  attached_by: z.string().nullable(),
  received: getInboundTransfer.output.nullable(),
  ledger: getTransaction.output.nullable(),
  events: Events,
});

export const TransferTimeline = showTransfer.output.extend({ events: Events });

/** An API request with what it is about, and the events about that; null where there is none, or a service is unavailable. */
export const RequestTrace = z.object({
  call: getApiCall.output,
  record: z.object({ kind: z.enum(TRACED), reference: z.string() }).nullable(),
  events: Events,
});
/** The collections whose webhooks are sent again. */
export const Resend = z.object({ references: z.array(Id).min(1).max(50) });
/** What became of each: sent, or refused and why. */
export const Resent = z.object({
  lines: z.array(z.object({ reference: Id, outcome: z.enum(["done", "refused"]), detail: z.string().nullable() })),
});

/** The collection is null if the line is for something else, or if payments is unavailable. */
export const SettlementLines = browseOf(
  browseSettlementLines.output.shape.data.element.extend({
    collection: CollectionRecord.nullable(),
  }),
);

const FoundPayments = searchPayments.output.shape;

/** What a text names, by kind; null for the kinds whose service did not answer in time. */
export const SearchResults = z.object({
  collections: FoundPayments.collections.nullable(),
  payers: FoundPayments.payers.nullable(),
  customers: searchCustomers.output.shape.customers.nullable(),
  sessions: FoundPayments.sessions.nullable(),
  transfers: FoundPayments.transfers.nullable(),
  links: FoundPayments.links.nullable(),
});

/** Whom a collection that matched nothing may be for: the likeliest first, or what a text names; null without a response in time. */
export const Attachable = z.object({
  sessions: listAttachable.output.shape.sessions,
  customers: searchCustomers.output.shape.customers.nullable(),
});

/** The steps that a new merchant has completed. */
export const Checklist = z.object({
  keys_made: z.boolean(),
  api_called: z.boolean(),
  account_made: z.boolean(),
  webhook_set: z.boolean(),
  money_received: z.boolean(),
  webhook_delivered: z.boolean(),
  verification: getVerification.output.shape.state,
});

/** A person who could see a secret and may not any more: `present` is their role now, null if they have left. */
const Exposure = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  until: Instant,
  present: MemberRole.nullable(),
  made_it: z.boolean(),
});

/** The webhook endpoint of a mode without its secrets: only enough of the current one to recognize it. */
export const Webhook = z.object({
  url: z.string().nullable(),
  has_secret: z.boolean(),
  secret_ends: z.string().nullable(),
  staged: z.boolean(),
  activates_at: Instant.nullable(),
  unconfirmed: getWebhookEndpoint.output.shape.unconfirmed,
  /** Those who were shown the current secret and may not see it any more. */
  exposed_to: z.array(Exposure),
});

/** How the test receiver answers events: with 200, with 500, or not at all. It always answers challenges. */
export const ReceiverBehavior = z.enum(["ok", "error", "timeout"]);

/** Our own server for webhooks of test mode, and the newest that it received; the URL is null until it is first used. */
export const TestReceiver = z.object({
  url: z.url().nullable(),
  /** Whether it is the webhook URL. */
  in_use: z.boolean(),
  behavior: ReceiverBehavior,
  received: z.array(
    z.object({
      id: Id,
      received_at: Instant,
      webhook_id: z.string().nullable(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
      /** Why its signature was not accepted; null if it is valid. */
      fault: z.string().nullable(),
      /** The status of the response; null if there was none. */
      answered: z.int().nullable(),
      /** Of those that are listed with this `webhook_id`, how many came before: a receiver handles only the first. */
      seen_before: z.int(),
    }),
  ),
});

export const WebhookSecrets = z.object({ secret: z.string(), staged_secret: z.string().nullable() });

export const Keys = showMerchant.output.extend({
  keys: z.array(showMerchant.output.shape.keys.element.extend({ exposed_to: z.array(Exposure) })),
});

export const TeamMember = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: MemberRole,
  two_factor_enabled: z.boolean(),
  joined_at: Instant,
});

export const Invitation = z.object({ id: z.string(), email: z.string(), role: MemberRole, expires_at: Instant });

export const Team = z.object({ members: z.array(TeamMember), invitations: z.array(Invitation) });

/** Whether the caller is mailed when the webhook fails, and when it works again. */
export const Mails = z.object({ webhook: z.boolean(), reports: z.enum(REPORTS).nullable() });
/** What is not sent stays as it is. */
export const MailChoice = Mails.partial();

/** The link is returned only in this response, and only where no mail is sent; it is not stored. */
export const InvitationLink = z.object({ url: z.url().nullable(), expires_at: Instant });

/** The role is null for a member who has left. */
export const ChangedMember = z.object({ user_id: z.string(), role: MemberRole.nullable() });

export const AuditLog = browseOf(
  z.object({
    id: Id,
    at: Instant,
    /** A member by name and address, a key by its last characters, an operator by name. */
    who: z.object({ kind: z.string(), name: z.string(), email: z.string().nullable() }),
    action: z.string(),
    detail: z.record(z.string(), z.unknown()),
    mode: Mode.nullable(),
    outcome: z.enum(["done", "refused", "unknown"]),
  }),
);
