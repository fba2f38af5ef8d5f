import { type Pool, statement } from "@collect/database";
import { type Difference, NAMED_MAX, type PartName, type Progress, type ProvenPage } from "../domain/audit-parts.ts";

/**
 * Claims the next page of this part for this replica. Undefined when it is not due, or another replica has claimed it.
 * Returns the cursor at which to continue.
 */
const claim = statement<{ cursor: string }>(`
  update audit_progress set next_at = now() + make_interval(secs => $2) where part = $1 and next_at <= now()
  returning cursor`);
export async function claimPart(pool: Pool, part: PartName, everyMs: number): Promise<{ cursor: string } | undefined> {
  return (await claim(pool, [part, everyMs / 1_000]))[0];
}

/**
 * Keeps at most the named differences plus those of one page: a round in which every row differs must not fill the
 * column.
 */
const ADDED = `case when jsonb_array_length(differences) < ${NAMED_MAX} then differences else '[]' end || `;

const advance = statement(`
  update audit_progress set cursor = $2, this_round = this_round + $3, proven_at = clock_timestamp(), differences = ${ADDED}$4::jsonb
  where part = $1`);
const finish = statement(`
  update audit_progress set cursor = '', last_round = this_round + $2, this_round = 0, proven_at = clock_timestamp(),
    last_round_at = clock_timestamp(), last_differences = ${ADDED}$3::jsonb, differences = '[]'
  where part = $1`);

/** Records a proven page; after the last page of a round the next round starts. */
export function storePage(
  pool: Pool,
  part: PartName,
  { cursor, proven, differences, isLast }: ProvenPage & { isLast: boolean },
) {
  const found = JSON.stringify(differences);
  return isLast ? finish(pool, [part, proven, found]) : advance(pool, [part, cursor, proven, found]);
}

const recent = statement("update audit_progress set recent_differences = $2 where part = $1");
export const storeRecent = (pool: Pool, part: PartName, differences: Difference[]) =>
  recent(pool, [part, JSON.stringify(differences)]);

const read = statement<Progress & { now: string }>(`
  select part, proven_at, extract(epoch from clock_timestamp() - proven_at)::integer as age_s, this_round, last_round,
    last_round_at, differences, last_differences, recent_differences, now() as now
  from audit_progress order by array_position(array['sessions', 'transfers', 'reserves'], part)`);
export const readProgress = (pool: Pool) => read(pool);
