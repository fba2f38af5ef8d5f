import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { KINDS } from "./delivery-log.ts";

export type HealthRow = {
  url: string | null;
  failing: number;
  exhausted: number;
  oldest_failing_at: string | null;
  last_delivered_at: string | null;
  ever_delivered: boolean;
};

const COUNT_MAX = 1_000;

/** Ranges of places, in the order of the one index that begins so: see delivery-log.ts. */
const OF_KIND = "(d.merchant_id, d.mode) = ($1, $2) and d.kind between k.kind and k.kind";
const IN_STATUS = (status: string) => `(d.merchant_id, d.mode) = ($1, $2)
      and (d.kind, d.status) >= (k.kind, '${status}') and (d.kind, d.status) <= (k.kind, '${status}')`;

/** The last acknowledgement is that of the newest delivery that has one: a retry of an older one may have come after it. */
const select = statement<HealthRow>(`
  with kinds as (select * from unnest($3::text[]) k (kind)),
  failing as (
    select f.created_at from kinds k, lateral (
      select number, created_at from deliveries d where ${OF_KIND} and d.status = 'pending' and d.attempts > d.attempts_before
      order by d.kind, d.number limit ${COUNT_MAX}) f
    order by f.number limit ${COUNT_MAX}
  ),
  exhausted as (
    select from kinds k, lateral (
      select from deliveries d where ${IN_STATUS("exhausted")} order by d.kind, d.status, d.number limit ${COUNT_MAX}) x
    limit ${COUNT_MAX}
  ),
  delivered as (
    select last.ended_at from kinds k, lateral (
      select number from deliveries d where ${IN_STATUS("delivered")} order by d.kind desc, d.status desc, d.number desc limit 1) d,
    lateral (
      select started_at + duration_ms * interval '1 millisecond' as ended_at from attempts
      where delivery_number = d.number order by attempt desc limit 1) last
  ),
  endpoint as (select url, acknowledged_before from endpoints where merchant_id = $1 and mode = $2)
  select (select url from endpoint),
    (select count(*)::integer from failing) as failing,
    (select min(created_at) from failing) as oldest_failing_at,
    (select count(*)::integer from exhausted) as exhausted,
    (select max(ended_at) from delivered) as last_delivered_at,
    exists (select from delivered) or exists (select from endpoint where acknowledged_before) as ever_delivered`);

export async function healthOf(pool: Pool, { id, mode }: MerchantScope): Promise<HealthRow | undefined> {
  const [health] = await select(pool, [id, mode, KINDS]);
  return health;
}
