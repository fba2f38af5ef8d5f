import { z } from "zod";
import { CustomerReference, Id, Instant, MerchantScope } from "../fields.ts";
import { request } from "../message.ts";
import { SessionSnapshot } from "../session-snapshot.ts";

/**
 * The erasure of a person's data: names, senders' accounts, emails and free texts are replaced, everything that says what was
 * paid stays. A person is named by references only, so that neither the order nor its record contains what is erased.
 */

/** What stands for a name that was erased. */
export const ERASED = "Erased";

/** The most transfers in one request. */
export const ERASED_MAX = 200;

/** A customer of a merchant by the merchant's reference, or the payer of a collection (`col_…`) or a payment (`pay_…`). */
const Person = z.object({
  merchant: MerchantScope,
  kind: z.enum(["customer", "payer"]),
  reference: z.string().min(1).max(80),
});
export type Person = z.output<typeof Person>;

const Erasure = Person.extend({ id: Id, requested_at: Instant });
export type Erasure = z.output<typeof Erasure>;

/** How many rows about the person there are, by place. */
const Survey = z.object({
  accounts: z.int(),
  transfers: z.int(),
  sessions: z.int(),
  events: z.int(),
  responses: z.int(),
  /** What has to end first. */
  open_sessions: z.int(),
  pending_deliveries: z.int(),
  unfinished_transfers: z.int(),
});
export type Survey = z.output<typeof Survey>;

const Reason = z.string().trim().min(3).max(300);
const Ordered = z.object({ id: Id, found: Survey });

export const eraseCustomer = request({
  subject: "accounts.erasures.customer",
  callers: ["operator"],
  operator: { action: "customer.erased", detail: ["customer_reference", "reason"], fourEyes: true },
  meaning:
    "Erase the data of a customer whose account is retired, in every service. Repeated, it erases what came in since.",
  deadlineMs: 60_000,
  input: z.object({ merchant: MerchantScope, customer_reference: CustomerReference, reason: Reason }),
  output: Ordered,
});

export const erasePayer = request({
  subject: "accounts.erasures.payer",
  callers: ["operator"],
  operator: { action: "payer.erased", detail: ["reference", "reason"], fourEyes: true },
  meaning:
    "Erase the data of the payer of a collection or a payment, and of everything else that the same sender paid to the merchant.",
  deadlineMs: 60_000,
  input: z.object({ merchant: MerchantScope, reference: Id, reason: Reason }),
  output: Ordered,
});

export const surveyPerson = request({
  subject: "accounts.erasures.survey",
  callers: ["operator"],
  operator: "read",
  meaning: "What an erasure would change, by place, and what has to end first.",
  deadlineMs: 60_000,
  input: Person,
  output: Survey,
});

export const listErasures = request({
  subject: "accounts.erasures.list",
  callers: ["operator"],
  operator: "read",
  meaning: "One erasure, or 200: those in progress first, and then the newest.",
  input: z.object({ id: Id.optional() }),
  output: z.object({ erasures: z.array(Erasure.extend({ finished_at: Instant.nullable() })) }),
});

export const eraseAgain = request({
  subject: "accounts.erasures.again",
  callers: ["operator", "payments", "webhooks"],
  operator: { action: "erasures.repeated", detail: ["since"], result: ["repeated"] },
  meaning:
    "Repeat the erasures that finished since then, or all: a database restored from a backup contains the data again.",
  input: z.object({ since: Instant.optional() }),
  output: z.object({ repeated: z.int() }),
});

// ---- between the services ----

export const findPersonSessions = request({
  subject: "payments.erasures.survey",
  callers: ["accounts"],
  meaning: "Whether a collection or session of the person exists, and how many sessions concern them.",
  deadlineMs: 15_000,
  input: Person,
  output: z.object({ is_known: z.boolean(), sessions: z.int(), open_sessions: z.int() }),
});

export const findPersonTransfers = request({
  subject: "payments.erasures.find",
  callers: ["accounts"],
  meaning: "The transfers of a person, in the order of their ids, with those that were already erased.",
  deadlineMs: 15_000,
  input: Person.extend({ erasure_id: Id, after: z.string() }),
  output: z.object({ intake_ids: z.array(Id), next: z.string().nullable() }),
});

const Transfers = z.object({
  /** Of a payer, the merchant's own customer is kept. */
  kind: Person.shape.kind,
  intake_ids: z.array(Id).max(ERASED_MAX),
});

export const eraseCollections = request({
  subject: "payments.erasures.collections",
  callers: ["accounts"],
  meaning: "Erase the person from these collections and their sessions.",
  deadlineMs: 15_000,
  input: Transfers.extend({ erasure: Erasure }),
  output: z.object({}),
});

export const eraseSessions = request({
  subject: "payments.erasures.sessions",
  callers: ["accounts"],
  meaning: "Erase the person from a page of their own sessions, paid or not.",
  deadlineMs: 15_000,
  input: z.object({ erasure: Erasure, after: z.string() }),
  output: z.object({ next: z.string().nullable() }),
});

export const listErasureCopies = request({
  subject: "payments.erasures.list",
  callers: ["accounts"],
  meaning: "Copies of the erasures since then: so that accounts can restore and repeat them.",
  deadlineMs: 10_000,
  input: z.object({ since: Instant, after: z.object({ at: Instant, key: z.string() }).nullable() }),
  output: z.object({ rows: z.array(Erasure), next: z.object({ at: Instant, key: z.string() }).nullable() }),
});

export const surveyEvents = request({
  subject: "webhooks.erasures.survey",
  callers: ["accounts"],
  meaning: "How many events there are of these transfers, deliveries that are not over, and stored responses.",
  deadlineMs: 15_000,
  input: z.object({ intake_ids: z.array(Id).max(ERASED_MAX) }),
  output: z.object({ events: z.int(), pending: z.int(), responses: z.int() }),
});

export const eraseEvents = request({
  subject: "webhooks.erasures.events",
  callers: ["accounts"],
  meaning:
    "Erase the person from the bodies of these transfers' events, and the responses to them; returns the new hashes.",
  deadlineMs: 15_000,
  input: Transfers,
  output: z.object({ events: z.array(z.object({ intake_id: Id, body_hash: z.string() })) }),
});

export const eraseLedgerDeadLetters = request({
  subject: "ledger.erasures.dead_letters",
  callers: ["accounts"],
  meaning:
    "Delete the dead letters about these transfers, which were posted since: the ledger stores nothing else about a person.",
  input: z.object({ intake_ids: z.array(Id).max(ERASED_MAX) }),
  output: z.object({}),
});

export const storeSessionCopies = request({
  subject: "checkout.sessions.store",
  callers: ["payments"],
  meaning:
    "Store these sessions over older copies, and delete dead letters about them: what they say of a person must not outlive its erasure.",
  deadlineMs: 10_000,
  input: z.object({ sessions: z.array(SessionSnapshot).max(ERASED_MAX) }),
  output: z.object({}),
});
