import {
  AUDITED_REVERSALS_MAX,
  type AuditedReversal,
  type Fact,
  type MerchantScope,
  type Mode,
  reversalPosted,
  type transferReversed,
} from "@collect/contracts";
import { columns, type Pool, query, type Session, statement, type Transaction } from "@collect/database";
import { z } from "zod";
import { reversedKey } from "../../store/event-numbers.ts";
import type { Attachable } from "./attachments.ts";

/** What banks took back of collections. */

type Posted = Fact<typeof reversalPosted>;

export type ReversalRow = {
  intakeId: string;
  creditId: string;
  merchantId: string;
  mode: Mode;
  reference: string;
  collectionReference: string;
  collectionAmount: bigint;
  amount: bigint;
  fee: bigint;
  net: bigint;
  reversedBefore: bigint;
  accountNumber: string;
  customerReference: string | null;
  paymentReference: string | null;
  merchantReference: string | null;
  reversedAt: string;
  receivedAt: string;
  postedAt: string;
  source: unknown;
};

/** Of `reversals r join collections c`. */
const COLUMNS = `r.reversal_id as "intakeId", r.intake_id as "creditId", r.merchant_id as "merchantId", r.mode, r.reference,
  c.reference as "collectionReference", c.amount as "collectionAmount", r.amount, r.fee, r.net, r.reversed_before as "reversedBefore",
  c.account_number as "accountNumber", r.customer_reference as "customerReference", r.payment_reference as "paymentReference",
  r.merchant_reference as "merchantReference", r.reversed_at as "reversedAt", r.received_at as "receivedAt",
  r.posted_at as "postedAt", r.source`;
const FROM = "from reversals r join collections c on c.intake_id = r.intake_id";

const read = statement<ReversalRow>(`select ${COLUMNS} ${FROM} where r.reversal_id = any($1::text[])`);
export const readReversals = (tx: Session, intakeIds: string[]) => read(tx, [intakeIds]);

const missing = statement<{ reversal_id: string }>(`
  select n.reversal_id from unnest($1::text[], $2::text[]) as n (reversal_id, credit_id)
  where exists (select from collections c where c.intake_id = n.credit_id)
    and not exists (select from reversals r where r.reversal_id = n.reversal_id)`);

/** Those of collections that are stored here, and that are not. */
export const missingReversals = async (
  pool: Pool,
  reversals: { intake_id: string; credit_id: string }[],
): Promise<string[]> =>
  (await missing(pool, columns(reversals, "intake_id", "credit_id"))).map(({ reversal_id }) => reversal_id);

const insert = statement<{ reversal_id: string }>(`
  insert into reversals (reversal_id, reference, intake_id, merchant_id, mode, amount, fee, net, reversed_before, payment_reference,
    merchant_reference, customer_reference, reversed_at, received_at, posted_at, source, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, time_of($4, $5))
  on conflict (reversal_id) do nothing returning reversal_id`);
const takeFromCollection = statement(
  "update collections set amount_reversed = amount_reversed + $2 where intake_id = $1",
);
// An unpaid session takes no more from then on: its watch window ends, and its slot with that.
const takeFromSession = statement(`
  update sessions set amount_reversed = amount_reversed + $2, version = version + 1,
    watch_until = case when status = 'underpaid' then greatest(created_at, least(watch_until, time_of(merchant_id, mode))) else watch_until end
  where reference = $1`);

/** Under the locks of the collection and its session. False if it is stored already. */
export async function storeReversal(
  tx: Transaction,
  posted: Posted,
  { reference, collection }: { reference: string; collection: Attachable },
): Promise<boolean> {
  const { intakeId, creditId, merchant, amount, fee, net, reversedBefore, reversedAt, receivedAt, postedAt } = posted;
  const { paymentReference, merchantReference, customerReference } = collection;
  const inserted = await insert(tx, [
    ...[intakeId, reference, creditId, merchant.id, merchant.mode, amount, fee, net, reversedBefore],
    ...[paymentReference, merchantReference, customerReference, reversedAt, receivedAt, postedAt],
    JSON.stringify(z.encode(reversalPosted.data.shape.source, posted.source)),
  ]);
  if (inserted.length === 0) return false;
  await takeFromCollection(tx, [creditId, amount]);
  if (paymentReference !== null) await takeFromSession(tx, [paymentReference, amount]);
  return true;
}

export type ShownReversal = {
  intakeId: string;
  reference: string;
  amount: bigint;
  fee: bigint;
  net: bigint;
  reversedAt: string;
  postedAt: string;
  sequence: bigint | null;
};
const shown = query<ShownReversal>(`
  select r.intake_id as "intakeId", r.reference, r.amount, r.fee, r.net, r.reversed_at as "reversedAt", r.posted_at as "postedAt", n.sequence
  from reversals r left join event_numbers n on n.key = '${reversedKey("")}' || r.reversal_id
  where r.intake_id = any($1::text[]) order by r.intake_id, r.reversed_before`);

/** Of these collections, those that were taken back first first. */
export async function reversalsOf(pool: Pool, intakeIds: string[]): Promise<ShownReversal[]> {
  return intakeIds.length === 0 ? [] : shown(pool, [intakeIds]);
}

const audited = query<AuditedReversal>(`
  select reversal_id, 'reversal' as kind, merchant_id, mode, amount from reversals
  where reversal_id collate "C" > $1 and ($2::text is null or reversal_id collate "C" <= $2)
  order by reversal_id collate "C" limit ${AUDITED_REVERSALS_MAX}`);

/** Those whose ids are after one and up to another, for the audit. */
export const auditedReversals = (pool: Pool, { after, up_to }: { after: string; up_to: string | null }) =>
  audited(pool, [after, up_to]);

type Place = { at: string; key: string };
const since = statement<ReversalRow & { at: string }>(`
  select ${COLUMNS}, to_char(r.stored_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at ${FROM}
  where r.stored_at >= $1 and (r.stored_at, r.reversal_id) > ($2::timestamptz, $3) order by r.stored_at, r.reversal_id limit $4`);

export async function reversalsSince(
  pool: Pool,
  { since: from, after, limit }: { since: string; after: Place | null; limit: number },
) {
  const rows = await since(pool, [from, after?.at ?? "0001-01-01T00:00:00+00:00", after?.key ?? "", limit]);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows: rows.map(restorableOf), next: last ? { at: last.at, key: last.intakeId } : null };
}

/** As accounts published it. */
export function restorableOf(row: ReversalRow): Fact<typeof transferReversed> {
  const source = reversalPosted.data.shape.source.parse(row.source);
  const { intakeId, creditId, merchantId, mode, amount, reversedBefore, reversedAt, receivedAt } = row;
  return {
    ...{ intakeId, creditId, merchant: { id: merchantId, mode } satisfies MerchantScope, amount, reversedBefore },
    ...{ reversedAt, receivedAt, source, fundedBy: source.allocated ? "suspense" : "bank" },
  };
}
