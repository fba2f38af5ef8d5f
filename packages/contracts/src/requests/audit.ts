import { z } from "zod";
import { Id, Instant, Kobo, Mode } from "../fields.ts";
import { request, type ServiceName } from "../message.ts";

/** What the self-audit compares between the services, and what it says of itself. */

/**
 * What is compared of each row, by name, each with the intake id. A row's digest is a hash of these fields in 64 bits; a
 * minute's is the sum over its rows, so their order does not matter. A service gives the digests of the fields it holds.
 *
 * | digest   | fields beside the intake id                             | accounts | ledger            | payments | webhooks        |
 * |----------|---------------------------------------------------------|----------|-------------------|----------|-----------------|
 * | intake   | merchant, amount                                        | yes      | from the entries  | yes      | amount of body  |
 * | fee      | fee, net                                                |          | from the entries  | yes      | body            |
 * | customer | customer reference, account number                      | yes      |                   | yes      | body            |
 * | match    | reference, payment reference, merchant reference        |          |                   | yes      | body            |
 * | numbers  | reference, sequence, delivery number                    | yes      |                   |          | yes             |
 * | body     | SHA-256 of the body                                     | yes      |                   |          | of what is kept |
 */
export const DIGESTS = ["intake", "fee", "customer", "match", "numbers", "body"] as const;
export type DigestName = (typeof DIGESTS)[number];
const Digests = z.partialRecord(z.enum(DIGESTS), z.string().regex(/^-?\d+$/));
export type Digests = z.output<typeof Digests>;

const Received = { mode: Mode, kind: z.enum(["collection", "suspense"]) };

/** Money received in one minute, as one service holds it. A service of the previous release gives no digests. */
export const ReceivedMinute = z.object({
  ...Received,
  /** Where it begins; the second's beginning when seconds were asked for. */
  minute: Instant,
  count: z.int(),
  sum: Kobo,
  digests: Digests.optional(),
});
export type ReceivedMinute = z.output<typeof ReceivedMinute>;

/** One transfer received, as one service holds it. */
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

/** So many transfers under way can be left out of a comparison. */
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
        /** Intake ids that are left out of each kind, because they are under way. */
        except: z.object({ collection: Ids, suspense: Ids }).optional(),
      })
      .refine(isWithinADay, WITHIN_A_DAY),
    output: z.object({ minutes: z.array(ReceivedMinute) }),
  });

/** What every stage after accounts is asked by the self-audit. */
export const countMinutes = {
  ledger: countMinutesOf("ledger"),
  payments: countMinutesOf("payments"),
  webhooks: countMinutesOf("webhooks"),
};

/** So many rows are shown of one window: a reply must fit into a message. */
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

/** Asked where a minute differs, to name the transfers. */
export const listReceived = {
  ledger: listReceivedOf("ledger"),
  payments: listReceivedOf("payments"),
  webhooks: listReceivedOf("webhooks"),
};

export const listPostedMinutes = request({
  subject: "ledger.audit.posted_minutes",
  callers: ["accounts"],
  meaning:
    "In which minutes of receipt lies what was posted late, or ahead of its time, after a position; null asks where the ledger stands.",
  deadlineMs: 15_000,
  input: z.object({ after: z.string().regex(/^\d+$/).nullable() }),
  output: z.object({ minutes: z.array(Instant), position: z.string() }),
});

/** What the ledger holds for one outbound transfer. */
const TransferBookings = z.object({
  transfer_id: Id,
  merchant_id: Id,
  mode: Mode,
  amount: Kobo,
  reserved: z.boolean(),
  first_end: z.enum(["success", "failed"]).nullable(),
  /** Kinds of its transactions that are of this merchant, mode and amount. */
  bookings: z.array(z.string()),
});
export type TransferBookings = z.output<typeof TransferBookings>;

const TRANSFERS_MAX = 500;

export const readTransferBookings = request({
  subject: "ledger.audit.transfers",
  callers: ["payments"],
  meaning: "What the ledger reserved and booked for these outbound transfers; unknown ones are left out.",
  input: z.object({ transfer_ids: z.array(Id).max(TRANSFERS_MAX) }),
  output: z.object({ transfers: z.array(TransferBookings) }),
});

export const listTransferBookings = request({
  subject: "ledger.audit.reserves",
  callers: ["payments"],
  meaning: `What the ledger reserved and booked, ${TRANSFERS_MAX} transfers at a time in the order of their ids.`,
  input: z.object({ after: z.string().max(80) }),
  output: z.object({ transfers: z.array(TransferBookings) }),
});

/** One thing that the self-audit proves, as it stands. It fails when it does not hold, or is older than it may be. */
export const AuditPart = z.object({
  name: z.string(),
  /** What is compared with what. */
  compares: z.string(),
  /** Of what was received, or was posted, between these times; null where that is no matter. */
  from: Instant.nullable(),
  to: Instant.nullable(),
  proven_at: Instant.nullable(),
  /** For how long nothing newer has been proven, on the database's clock; null when it never was. */
  age_s: z.int().nullable(),
  max_age_s: z.int(),
  holds: z.boolean(),
  differences: z.array(z.object({ what: z.string(), where: z.string() })),
  /** What is to be known, and is no difference. */
  notes: z.array(z.string()),
});
export type AuditPart = z.output<typeof AuditPart>;

/** Why a part fails, in words; undefined when it holds and is young enough. */
export function auditFault({ age_s, max_age_s, holds, differences }: AuditPart): string | undefined {
  if (differences.length > 0) return `does not hold: ${differences.length} differ`;
  if (age_s === null) return "has not been proven, or does not answer";
  if (!holds) return "does not hold";
  return age_s > max_age_s ? `is too old: proven up to ${age_s} s ago, at most ${max_age_s} s are right` : undefined;
}
