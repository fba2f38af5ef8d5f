import { z } from "zod";
import { Id, Instant, Kobo, Mode } from "../fields.ts";
import { request, type ServiceName } from "../message.ts";

/** What the self-audit compares between the services, and its results. */

/**
 * The digests that are compared, by name; each includes the intake id. A row's digest is a 64-bit hash of these fields; a
 * minute's is the sum over its rows, so their order does not matter. A service returns the digests of the fields it stores.
 *
 * | digest   | fields besides the intake id                            | accounts | ledger            | payments | webhooks        |
 * |----------|---------------------------------------------------------|----------|-------------------|----------|-----------------|
 * | intake   | merchant, amount                                        | yes      | from the entries  | yes      | amount of body  |
 * | fee      | fee, net                                                |          | from the entries  | yes      | body            |
 * | customer | customer reference, account number                      | yes      |                   | yes      | body            |
 * | match    | reference, payment reference, merchant reference        |          |                   | yes      | body            |
 * | numbers  | reference, sequence, delivery number                    | yes      |                   |          | yes             |
 * | body     | SHA-256 of the body                                     | yes      |                   |          | stored body     |
 */
export const DIGESTS = ["intake", "fee", "customer", "match", "numbers", "body"] as const;
export type DigestName = (typeof DIGESTS)[number];
const Digests = z.partialRecord(z.enum(DIGESTS), z.string().regex(/^-?\d+$/));
export type Digests = z.output<typeof Digests>;

const Received = { mode: Mode, kind: z.enum(["collection", "suspense"]) };

/** The money received in one minute, in the records of one service. The previous release returns no digests. */
export const ReceivedMinute = z.object({
  ...Received,
  /** The start of the minute, or of the second where seconds were requested. */
  minute: Instant,
  count: z.int(),
  sum: Kobo,
  digests: Digests.optional(),
});
export type ReceivedMinute = z.output<typeof ReceivedMinute>;

/** One received transfer, in the records of one service. */
export const ReceivedRow = z.object({
  ...Received,
  intake_id: z.string(),
  merchant_id: z.string().nullable(),
  amount: Kobo,
  digests: Digests,
});
export type ReceivedRow = z.output<typeof ReceivedRow>;

const window = { from: Instant, to: Instant };
const WITHIN_A_DAY = { path: ["to"], message: "must be at most a day after from" };
const isWithinADay = ({ from, to }: { from: string; to: string }) => {
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= 0 && ms <= 86_400_000;
};

/** The most in-flight transfers that one comparison can leave out. */
export const IN_FLIGHT_MAX = 5_000;
const Ids = z.array(Id).max(IN_FLIGHT_MAX);

const countMinutesOf = (service: ServiceName) =>
  request({
    subject: `${service}.audit.minutes`,
    callers: ["accounts"],
    meaning: "Count, sum and digests of what was received in [from, to), at most a day, by mode, kind and minute.",
    deadlineMs: 15_000,
    input: z
      .object({
        ...window,
        unit: z.enum(["minute", "second"]).optional(),
        /** Intake ids to leave out of each kind, because they are in flight. */
        except: z.object({ collection: Ids, suspense: Ids }).optional(),
      })
      .refine(isWithinADay, WITHIN_A_DAY),
    output: z.object({ minutes: z.array(ReceivedMinute) }),
  });

/** The self-audit's request to every stage after accounts. */
export const countMinutes = {
  ledger: countMinutesOf("ledger"),
  payments: countMinutesOf("payments"),
  webhooks: countMinutesOf("webhooks"),
};

/** The most rows of one window: a response must fit into one message. */
export const ROWS_MAX = 2_000;

const listReceivedOf = (service: ServiceName) =>
  request({
    subject: `${service}.audit.rows`,
    callers: ["accounts"],
    meaning: `The transfers received in [from, to), with a digest of each; the first ${ROWS_MAX} by intake id.`,
    deadlineMs: 15_000,
    input: z.object(window).refine(isWithinADay, WITHIN_A_DAY),
    output: z.object({ rows: z.array(ReceivedRow) }),
  });

/** Sent when a minute differs, to identify the transfers. */
export const listReceived = {
  ledger: listReceivedOf("ledger"),
  payments: listReceivedOf("payments"),
  webhooks: listReceivedOf("webhooks"),
};

export const listPostedMinutes = request({
  subject: "ledger.audit.posted_minutes",
  callers: ["accounts"],
  meaning:
    "The minutes of receipt of everything posted late, or early, after a position; null returns the current position only.",
  deadlineMs: 15_000,
  input: z.object({ after: z.string().regex(/^\d+$/).nullable() }),
  output: z.object({ minutes: z.array(Instant), position: z.string() }),
});

/** The ledger's transactions for one outbound transfer. */
const TransferBookings = z.object({
  transfer_id: Id,
  merchant_id: Id,
  mode: Mode,
  amount: Kobo,
  reserved: z.boolean(),
  first_end: z.enum(["success", "failed"]).nullable(),
  /** The bank must not be called before a second person of the merchant has approved it. */
  approval_required: z.boolean().optional(),
  /** The kinds of its transactions that have this merchant, mode and amount. */
  bookings: z.array(z.string()),
});
export type TransferBookings = z.output<typeof TransferBookings>;

const TRANSFERS_MAX = 500;

export const readTransferBookings = request({
  subject: "ledger.audit.transfers",
  callers: ["payments"],
  meaning: "The ledger's reserves and bookings for these outbound transfers; unknown ones are omitted.",
  input: z.object({ transfer_ids: z.array(Id).max(TRANSFERS_MAX) }),
  output: z.object({ transfers: z.array(TransferBookings) }),
});

export const listTransferBookings = request({
  subject: "ledger.audit.reserves",
  callers: ["payments"],
  meaning: `The ledger's reserves and bookings, ${TRANSFERS_MAX} transfers a page in the order of their ids.`,
  input: z.object({ after: z.string().max(80) }),
  output: z.object({ transfers: z.array(TransferBookings) }),
});

/** The latest result of one part of the self-audit. It fails when it does not hold, or is older than `max_age_s`. */
export const AuditPart = z.object({
  name: z.string(),
  /** The two sides of the comparison. */
  compares: z.string(),
  /** It covers what was received, or posted, between these times; null where time does not matter. */
  from: Instant.nullable(),
  to: Instant.nullable(),
  proven_at: Instant.nullable(),
  /** Seconds since the last proof, by the database's clock; null if there was none. */
  age_s: z.int().nullable(),
  max_age_s: z.int(),
  holds: z.boolean(),
  differences: z.array(z.object({ what: z.string(), where: z.string() })),
  /** Remarks that are not differences. */
  notes: z.array(z.string()),
});
export type AuditPart = z.output<typeof AuditPart>;

/** Why a part fails, in words; undefined when it holds and is recent enough. */
export function auditFault({ age_s, max_age_s, holds, differences }: AuditPart): string | undefined {
  if (differences.length > 0) return `does not hold: ${differences.length} differ`;
  if (age_s === null) return "has not been proven, or does not answer";
  if (!holds) return "does not hold";
  return age_s > max_age_s ? `is too old: proven up to ${age_s} s ago, at most ${max_age_s} s are right` : undefined;
}
