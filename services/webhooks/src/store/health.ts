import { type MerchantScope, WEBHOOK_KINDS } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

export type HealthRow = {
  url: string | null;
  failing: number;
  exhausted: number;
  oldest_failing_at: string | null;
  last_delivered_at: string | null;
  ever_delivered: boolean;
};

const COUNT_MAX = 1_000;

const OF_KIND = "(d.merchant_id, d.mode, d.kind) = ($1, $2, k.kind)";

/** The last acknowledgement is that of the newest delivery that has one: a retry of an older one may have come after it. */
const select = statement<HealthRow>(`
  with kinds as (select * from unnest($3::text[]) k (kind)),
  failing as (
    select f.created_at from kinds k, lateral (
      select number, created_at from deliveries d where ${OF_KIND} and d.status = 'pending' and d.attempts > d.attempts_before
      order by d.number limit ${COUNT_MAX}) f
    order by f.number limit ${COUNT_MAX}
  ),
  exhausted as (
    select from kinds k, lateral (
      select from deliveries d where ${OF_KIND} and d.status = 'exhausted' limit ${COUNT_MAX}) x
    limit ${COUNT_MAX}
  ),
  delivered as (
    select last.ended_at from kinds k, lateral (
      select number from deliveries d where ${OF_KIND} and d.status = 'delivered' order by d.number desc limit 1) d,
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
  const [health] = await select(pool, [id, mode, [...WEBHOOK_KINDS, ""]]);
  return health;
}
