import { z } from "zod";
import { Actor } from "../actor.ts";
import { Browse, browseOf } from "../browse.ts";
import { Id, Instant, Mode } from "../fields.ts";
import { request, SERVICES } from "../message.ts";
import { byScope } from "./merchant.ts";
import { pageOf, walk } from "./recovery-pages.ts";

/** The audit log: what persons and keys did, as stated by the service that authenticated them. The gateway keeps it. */

const SERVICES_BEHIND = SERVICES.filter((service) => service !== "gateway");

/** Until it is recorded the outcome is `unknown`: the service may have died in between. */
export const AUDIT_OUTCOMES = ["done", "refused", "unknown"] as const;
const Detail = z.record(z.string(), z.unknown());

/** Where an entry is: each merchant has a chain of its own, and there is one for what concerns no merchant. */
export const EntryRef = z.object({
  chain: z.string().max(80),
  seq: z.string().regex(/^\d{1,18}$/),
  /** What only the service that recorded it was given: the outcome is taken with it, and from no other service. */
  ticket: z.string().max(64).optional(),
});
export type EntryRef = z.output<typeof EntryRef>;

/** One act. `merchant_id` is null if it concerns no merchant, `mode` if it concerns both. */
export const AuditedAct = z.object({
  merchant_id: Id.nullable(),
  mode: Mode.nullable(),
  action: z.string().min(1).max(60),
  detail: Detail,
});
export type AuditedAct = z.output<typeof AuditedAct>;

export const recordAct = request({
  subject: "gateway.audit.record",
  callers: ["dashboard"],
  sealed: "orders",
  meaning: "Record a member's act before it is done. The actor is the one that the request carries.",
  input: AuditedAct,
  output: EntryRef,
});

export const concludeAct = request({
  subject: "gateway.audit.conclude",
  callers: SERVICES_BEHIND,
  meaning: "Record the outcome of an act, with the ticket of its record; the first one recorded stays.",
  input: z.object({ entry: EntryRef, outcome: z.enum(["done", "refused"]), detail: Detail.default({}) }),
  output: z.object({}),
});

export const importActs = request({
  subject: "gateway.audit.import",
  callers: ["dashboard"],
  sealed: "orders",
  meaning:
    "Add acts that another service recorded together with the change itself; those with a known key are skipped. An operator's act is taken as one only if the operator's signature was admitted for it.",
  input: z.object({
    acts: z
      .array(
        AuditedAct.extend({
          key: z.string().min(1).max(200),
          actor: Actor,
          outcome: z.enum(AUDIT_OUTCOMES),
          request_id: z.string().max(100),
          at: Instant,
        }),
      )
      .max(200),
  }),
  output: z.object({}),
});

const AuditEntry = AuditedAct.extend({
  id: z.string(),
  at: Instant,
  actor: z.object({ kind: z.string(), id: z.string().nullable(), label: z.string() }),
  outcome: z.enum(AUDIT_OUTCOMES),
});

export const browseAuditLog = request({
  subject: "gateway.audit.browse",
  callers: ["dashboard"],
  meaning: "A merchant's acts in both modes, those of operators about it included, newest first.",
  input: byScope.extend(Browse.shape),
  output: browseOf(AuditEntry),
});

export const browseAuditLogs = request({
  subject: "gateway.audit.browse_all",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "The acts about every merchant and about none, or about one, with their outcomes, newest first.",
  input: Browse.extend({ merchant_id: Id.optional() }),
  output: browseOf(AuditEntry),
});

export const listWebhookActs = request({
  subject: "gateway.audit.webhook_acts",
  callers: ["webhooks"],
  meaning:
    "What was done with webhook endpoints since then, but for what was refused, oldest first: so that webhooks can tell whose settings a restore lost.",
  deadlineMs: 10_000,
  input: z.object(walk),
  output: pageOf(AuditedAct.omit({ detail: true }).extend({ merchant_id: Id, at: Instant })),
});

/** An entry with everything that its hash covers. */
const ChainedEntry = z.object({
  chain: z.string(),
  seq: z.string(),
  key: z.string().nullable(),
  merchant_id: z.string().nullable(),
  mode: z.string().nullable(),
  actor_kind: z.string(),
  actor_id: z.string().nullable(),
  actor_label: z.string(),
  action: z.string(),
  detail: z.string(),
  outcome: z.enum(AUDIT_OUTCOMES),
  about: z.string().nullable(),
  request_id: z.string(),
  client_request_id: z.string().nullable(),
  at: Instant,
  previous: z.string(),
  hash: z.string(),
});
export type ChainedEntry = z.output<typeof ChainedEntry>;

export const exportAuditLog = request({
  subject: "gateway.audit.export",
  callers: ["operator"],
  operator: "read",
  meaning: "A chain's entries in [from, to), 500 at a time, with their hashes.",
  input: z.object({ merchant_id: Id.nullable(), from: Instant, to: Instant, after: z.string().regex(/^\d{1,18}$/) }),
  output: z.object({ entries: z.array(ChainedEntry), next: z.string().nullable() }),
});

const EntryCursor = z.object({ at: Instant, chain: z.string().max(80), seq: z.string().regex(/^\d{1,18}$/) });

export const exportAuditLogs = request({
  subject: "gateway.audit.export_all",
  callers: ["operator"],
  operator: "read",
  meaning: "The entries of every chain in [from, to) by time, 500 at a time, with their hashes.",
  input: z.object({ from: Instant, to: Instant, after: EntryCursor.nullable() }),
  output: z.object({ entries: z.array(ChainedEntry), next: EntryCursor.nullable() }),
});

export const verifyAuditLog = request({
  subject: "gateway.audit.verify",
  callers: ["operator"],
  operator: "read",
  meaning: "Compute the chains again: of one merchant, or the next twenty after a name.",
  deadlineMs: 60_000,
  input: z.object({
    chain: z.string().max(80).optional(),
    /** A head of this chain that was printed or logged earlier: its entry must still be there. */
    head: z
      .string()
      .regex(/^\d{1,18}:[0-9a-f]{64}$/, "must be a head: a number and a hash")
      .optional(),
    after: z.string().max(80).nullable(),
  }),
  output: z.object({
    chains: z.array(
      z.object({
        chain: z.string(),
        entries: z.int(),
        /** The last hash: keep it elsewhere, and a chain whose end was cut off is noticed. */
        head: z.string(),
        fault: z.string().nullable(),
      }),
    ),
    next: z.string().nullable(),
  }),
});
