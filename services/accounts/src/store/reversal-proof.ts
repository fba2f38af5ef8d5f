import { type Pool, query, statement } from "@collect/database";
import {
  type Difference,
  NAMED_MAX,
  type OverdueReversals,
  type OwnReversal,
  type ReversalProof,
} from "../domain/reversal-proof.ts";

/** The comparison of reversals with the other services: what is compared, and its progress. */

const COLUMNS = `reversal_id as "reversalId", merchant_id as "merchantId", mode, amount, admitted_at is not null as "isAdmitted",
  allocated_at is not null as "isAllocated", completed_at is not null as "isComplete", closed_at is not null as "isClosed"`;

const page = statement<OwnReversal>(`
  select ${COLUMNS} from inbound_reversals where reversal_id collate "C" > $1 order by reversal_id collate "C" limit $2`);
export const pageOfReversals = (pool: Pool, after: string, limit: number) => page(pool, [after, limit]);

const read = statement<OwnReversal>(`select ${COLUMNS} from inbound_reversals where reversal_id = any($1::text[])`);
export const readOwnReversals = (pool: Pool, reversalIds: string[]) => read(pool, [reversalIds]);

const claim = statement<{ cursor: string }>(`
  update reversal_proofs set next_at = now() + make_interval(secs => $1) where next_at <= now() returning cursor`);
/** The cursor at which to go on; undefined if it is not due, or another replica goes on. */
export async function claimReversalProof(pool: Pool, everyMs: number): Promise<string | undefined> {
  return (await claim(pool, [everyMs / 1_000]))[0]?.cursor;
}

/** A round in which everything differs must not fill the column. */
const ADDED = `case when jsonb_array_length(differences) < ${NAMED_MAX} then differences else '[]' end ||`;
const advance = statement(`
  update reversal_proofs set cursor = $1, this_round = this_round + $2, proven_at = clock_timestamp(),
    differences = ${ADDED} $3::jsonb`);
const finish = statement(`
  update reversal_proofs set cursor = '', last_round = this_round + $1, this_round = 0, proven_at = clock_timestamp(),
    last_round_at = clock_timestamp(), last_differences = ${ADDED} $2::jsonb, differences = '[]'`);

/** Records a page that was compared; after the last one the next round begins. */
export async function storeReversalPage(
  pool: Pool,
  { cursor, proven, differences }: { cursor: string | null; proven: number; differences: Difference[] },
): Promise<void> {
  const named = JSON.stringify(differences.slice(0, NAMED_MAX));
  if (cursor === null) await finish(pool, [proven, named]);
  else await advance(pool, [cursor, proven, named]);
}

const proof = query<ReversalProof>(`
  select proven_at, extract(epoch from clock_timestamp() - proven_at)::integer as age_s, last_round, last_round_at, differences,
    last_differences from reversal_proofs`);
export async function readReversalProof(pool: Pool): Promise<ReversalProof> {
  const [row] = await proof(pool);
  if (!row) throw new Error("reversal_proofs has lost its row");
  return row;
}

const overdue = statement<OverdueReversals>(`
  select count(*)::integer as count, min(admitted_at) as oldest_admitted_at from inbound_reversals
  where completed_at is null and greatest(admitted_at, allocated_at) < now() - make_interval(secs => $1)`);
/** Those that were admitted longer ago, and are not complete. */
export async function countOverdueReversals(pool: Pool, overdueS: number): Promise<OverdueReversals> {
  const [row] = await overdue(pool, [overdueS]);
  if (!row) throw new Error("a count returned no row");
  return row;
}
