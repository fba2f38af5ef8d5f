import type { Mode } from "@collect/contracts";
import { type Pool, query, statement } from "@collect/database";

/** The maximum of rows counted per mode: above it the counts are lower bounds. */
const COUNTED_MAX = 100_000;

/** One whose credit never came is in quarantine, which has its own alarm, and goes on waiting. */
const NOT_MISSED = "(r.missed_at is null or r.admitted_at is not null)";

export type Unfinished = { mode: Mode; count: number; overdue: number; oldest_received_at: string };

/** The unfinished transfers and reversals, and those of them unfinished for longer than a number of seconds. */
const unfinished = statement<Unfinished>(`
  select mode, count(*)::integer as count, min(received_at) as oldest_received_at,
    (count(*) filter (where since < now() - make_interval(secs => $1)))::integer as overdue
  from (values ('live'), ('test')) as modes (mode) cross join lateral (
    (select received_at, coalesce(allocated_at, received_at) as since from inbound_transfers as t
    where t.completed_at is null and t.mode = modes.mode limit ${COUNTED_MAX})
    union all
    (select received_at, coalesce(allocated_at, received_at) as since from inbound_reversals as r
    where r.completed_at is null and ${NOT_MISSED} and r.mode = modes.mode limit ${COUNTED_MAX})
  ) as one
  group by mode order by mode`);
export const readUnfinished = (pool: Pool, overdueS: number) => unfinished(pool, [overdueS]);

/** Rows of an index that are looked at for a metric. */
const MEASURED_MAX = 10_000;
const oldest = statement<{ mode: Mode; count: number; age_s: number }>(`
  select modes.mode, count(*)::integer as count, extract(epoch from clock_timestamp() - min(received_at))::double precision as age_s
  from (values ('live'), ('test')) as modes (mode) cross join lateral (
    (select received_at from inbound_transfers as t where t.completed_at is null and t.mode = modes.mode limit ${MEASURED_MAX})
    union all
    (select received_at from inbound_reversals as r where r.completed_at is null and ${NOT_MISSED} and r.mode = modes.mode limit ${MEASURED_MAX})
  ) as one
  group by modes.mode`);
/** How many transfers and reversals are unfinished, at most 10,000 of each in each mode, and the age of the oldest of them. */
export const measureUnfinished = (pool: Pool) => oldest(pool);

/** Of live mode, as the exceptions list them. */
const quarantined = query<{ mode: Mode; count: number }>(`
  select mode, count(*)::integer as count from quarantined_transfers where mode = 'live' group by mode`);
export const countQuarantined = (pool: Pool) => quarantined(pool);
