import type { MerchantScope } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import { KINDS } from "./delivery-log.ts";

export type HealthRow = {
  url: string | null;
  unconfirmed_url: string | null;
  failing: number;
  exhausted: number;
  oldest_failing_at: string | null;
  last_delivered_at: string | null;
  ever_delivered: boolean;
};

const COUNT_MAX = 1_000;

/** The deliveries of every kind, one kind after another: each is a range of an index that begins with merchant, mode and kind. */
const ofEachKind = (pick: string, kinds: readonly string[] = KINDS) =>
  kinds
    .map(
      (kind) =>
        `(select number, created_at from deliveries where merchant_id = $1 and mode = $2 and kind = '${kind}' and ${pick})`,
    )
    .join(" union all ");

/** A test event is given up after seconds, and no money depends on it. */
const OF_MONEY = KINDS.filter((kind) => kind !== "webhook.test");

/** `last_delivered_at` is from the newest delivered delivery of each kind: an older one may have been delivered later, by a retry. */
const select = query<HealthRow>(`
  with failing as (
    select created_at from (${ofEachKind(`status = 'pending' and attempts > attempts_before order by number limit ${COUNT_MAX}`)}) f
    order by number limit ${COUNT_MAX}
  ),
  exhausted as (select from (${ofEachKind(`status = 'exhausted' limit ${COUNT_MAX}`, OF_MONEY)}) x limit ${COUNT_MAX}),
  delivered as (
    select last.ended_at from (${ofEachKind("status = 'delivered' order by number desc limit 1")}) d,
    lateral (
      select started_at + duration_ms * interval '1 millisecond' as ended_at from attempts
      where delivery_number = d.number order by attempt desc limit 1) last
  ),
  endpoint as (select url, unconfirmed_url, acknowledged_before from endpoints where merchant_id = $1 and mode = $2)
  select (select url from endpoint), (select unconfirmed_url from endpoint),
    (select count(*)::integer from failing) as failing,
    (select min(created_at) from failing) as oldest_failing_at,
    (select count(*)::integer from exhausted) as exhausted,
    (select max(ended_at) from delivered) as last_delivered_at,
    exists (select from delivered) or exists (select from endpoint where acknowledged_before) as ever_delivered`);

export async function healthOf(pool: Pool, { id, mode }: MerchantScope): Promise<HealthRow | undefined> {
  const [health] = await select(pool, [id, mode]);
  return health;
}
