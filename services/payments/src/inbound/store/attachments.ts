import type { Actor, MerchantScope, Metadata, Mode, SessionStatus } from "@collect/contracts";
import { type Pool, query, type Session, statement, type Transaction } from "@collect/database";
import type { PaymentSession } from "../domain/session.ts";
import { SESSION_COLUMNS } from "./sessions.ts";

/** Collections that matched nothing, and what people attach them to. */

export type Attachable = {
  intakeId: string;
  merchantId: string;
  mode: Mode;
  amount: bigint;
  paymentReference: string | null;
  customerReference: string | null;
  merchantReference: string | null;
  accountNumber: string;
  reference: string;
  amountReversed: bigint;
  attachedAt: string | null;
  /** The merchant's time. */
  lockedAt: string;
};
const COLUMNS = `c.intake_id as "intakeId", c.merchant_id as "merchantId", c.mode, c.amount,
  c.payment_reference as "paymentReference", c.customer_reference as "customerReference", c.attached_at as "attachedAt",
  c.merchant_reference as "merchantReference", c.account_number as "accountNumber", c.reference, c.amount_reversed as "amountReversed",
  time_of(c.merchant_id, c.mode)::timestamptz(3) as "lockedAt"`;

const lockOne = statement<Attachable>(
  `select ${COLUMNS} from collections c where c.reference = $3 and c.merchant_id = $1 and c.mode = $2 for update`,
);
const lockById = statement<Attachable>(
  `select ${COLUMNS} from collections c where c.intake_id = $3 and c.merchant_id = $1 and c.mode = $2 for update`,
);

/** Locks a collection of the merchant until the transaction ends. Whoever locks its session too, does that afterwards. */
export async function lockCollection(
  tx: Transaction,
  { id, mode }: MerchantScope,
  by: { reference: string } | { intakeId: string },
): Promise<Attachable | undefined> {
  const [found] =
    "reference" in by ? await lockOne(tx, [id, mode, by.reference]) : await lockById(tx, [id, mode, by.intakeId]);
  return found;
}

/** What a collection is attached to, as the columns of the match say it. */
export type Match = {
  paymentReference: string | null;
  merchantReference: string | null;
  customerReference: string | null;
  customerName: string | null;
  metadata: Metadata;
};

/** Between the first publication, by the process that attached it, and the next, by the worker. */
const AGAIN_AFTER = "interval '30 seconds'";

/** An event that has no metadata, because an earlier release recorded it, is followed by one that has none. */
const store = statement(`
  update collections set payment_reference = $2, merchant_reference = $3, customer_reference = $4, customer_name = $5,
    metadata = case when metadata is not null then $6::jsonb end, attached_at = $7,
    attached_by = $8, attachment_due = clock_timestamp() + ${AGAIN_AFTER}
  where intake_id = $1`);

export async function storeAttachment(
  tx: Transaction,
  intakeId: string,
  { at, by, ...match }: Match & { at: string; by: Actor | null },
) {
  const { paymentReference, merchantReference, customerReference, customerName, metadata } = match;
  const matched = [paymentReference, merchantReference, customerReference, customerName];
  await store(tx, [intakeId, ...matched, JSON.stringify(metadata), at, by]);
}

const claimDue = statement<{ intake_id: string }>(`
  update collections set attachment_due = clock_timestamp() + ${AGAIN_AFTER} where intake_id = any(array(
    select intake_id from collections where mode = $1 and attachment_due <= clock_timestamp()
    order by attachment_due limit $2 for update skip locked))
  returning intake_id`);

/** Attached collections whose event is not recorded yet, which no other replica gets for a while. */
export const claimDueAttachments = async (pool: Pool, { mode, limit }: { mode: Mode; limit: number }) =>
  (await claimDue(pool, [mode, limit])).map(({ intake_id }) => intake_id);

const record = statement(
  "update collections set attachment_due = null where intake_id = any($1::text[]) and attachment_due is not null",
);

/** Their events are recorded: they need not be published again. */
export const markAttachmentsRecorded = async (tx: Session, intakeIds: string[]) => void (await record(tx, [intakeIds]));

const unannounced = statement<{ intake_id: string }>(
  "select intake_id from collections where intake_id = any($1::text[]) and attachment_due is not null limit 1",
);
export const hasUnrecordedAttachment = async (tx: Session, intakeIds: string[]): Promise<boolean> =>
  (await unannounced(tx, [intakeIds])).length > 0;

/** As many sessions of a status from before the money, and as many from after it. */
const BEFORE_MAX = 100;
const AFTER_MAX = 25;
const STATUSES: readonly SessionStatus[] = ["pending", "processing", "underpaid", "expired"];

/** By the index of sessions by status and age, whatever their number. */
const around = query<PaymentSession>(`
  select ${SESSION_COLUMNS} from unnest($4::text[]) as wanted (status) cross join lateral (
    (select * from sessions where merchant_id = $1 and mode = $2 and status = wanted.status and created_at <= $3
      order by created_at desc, reference desc limit ${BEFORE_MAX})
    union all
    (select * from sessions where merchant_id = $1 and mode = $2 and status = wanted.status and created_at > $3
      order by created_at, reference limit ${AFTER_MAX})
  ) s`);

/** The sessions closest in time to the money that are not paid in full. */
export const unpaidSessionsAround = (
  pool: Pool,
  { id, mode }: MerchantScope,
  paidAt: string,
): Promise<PaymentSession[]> => around(pool, [id, mode, paidAt, STATUSES]);
