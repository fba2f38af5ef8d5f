import { columns, type Pool, query, statement } from "@collect/database";
import { KINDS } from "./delivery-log.ts";

/** Whether live endpoints acknowledge events. What is failing is found from the deliveries; what is stored is what was announced. */

/** So many attempts of one delivery in a row, eight minutes by the schedule, and nothing acknowledged since the first of them. */
export const FAILED_ATTEMPTS = 5;

/** Merchants looked at in one pass, as many as are failing at once in an outage of a large host. */
const SCOPES_MAX = 1_000;
export const OF_MONEY = KINDS.filter((kind) => kind !== "webhook.test");

/**
 * The newest acknowledged delivery of each kind is a range of an index, which alone has this order (see lookups.ts): by the number
 * alone, everything that waits would be read. Its last attempt is what was acknowledged.
 */
export const lastAcknowledged = (scope: string) => `(
  select max(last.ended_at) from (${OF_MONEY.map(
    (kind) =>
      `(select number from deliveries where merchant_id = ${scope}.merchant_id and mode = ${scope}.mode and kind = '${kind}'
        and status between 'delivered' and 'delivered' order by status desc, number desc limit 1)`,
  ).join(" union all ")}) newest,
  lateral (
    select started_at + duration_ms * interval '1 millisecond' as ended_at from attempts
    where delivery_number = newest.number order by attempt desc limit 1) last)`;

/** The oldest delivery of each kind that has failed, of each merchant: a loose index scan, whatever waits behind it. */
/** Its plan is tested. */
export const FAILING = `
  with recursive scopes as (
    (select merchant_id, mode from deliveries where status = 'pending' and attempts > attempts_before order by merchant_id, mode limit 1)
    union all
    select following.* from scopes, lateral (
      select d.merchant_id, d.mode from deliveries d
      where d.status = 'pending' and d.attempts > d.attempts_before and (d.merchant_id, d.mode) > (scopes.merchant_id, scopes.mode)
      order by d.merchant_id, d.mode limit 1) following
  )
  select s.merchant_id, s.mode, coalesce(h.change, 0) as change, worst.number as delivery_number, e.url, last.status, last.error, first.started_at as since
  from scopes s
  join endpoints e on e.merchant_id = s.merchant_id and e.mode = s.mode
  left join endpoint_health h on h.merchant_id = s.merchant_id and h.mode = s.mode,
  lateral (
    select number, attempts, attempts_before from (${OF_MONEY.map(
      (kind) =>
        `(select number, attempts, attempts_before, url from deliveries d where d.merchant_id = s.merchant_id and d.mode = s.mode
          and d.kind = '${kind}' and d.status = 'pending' and d.attempts > d.attempts_before order by number limit 1)`,
    ).join(" union all ")}) oldest
    where attempts - attempts_before >= ${FAILED_ATTEMPTS} and oldest.url = e.url order by number limit 1
  ) worst,
  lateral (select started_at from attempts where delivery_number = worst.number and attempt = worst.attempts_before + 1) first,
  lateral (select status, error from attempts where delivery_number = worst.number order by attempt desc limit 1) last
  where s.mode = 'live' and h.state is distinct from 'failing'
    and coalesce(${lastAcknowledged("s")} < first.started_at, true)
  limit ${SCOPES_MAX}`;
const failing = query<Failing>(FAILING);

export type Failing = {
  merchant_id: string;
  mode: "live";
  /** The last one that is known. */
  change: number;
  delivery_number: bigint;
  url: string;
  status: number | null;
  error: string | null;
  since: string;
};

/** The live endpoints that have begun to fail. */
export const findFailing = (pool: Pool): Promise<Failing[]> => failing(pool);

const begin = statement(`
  insert into endpoint_health as h (merchant_id, mode, change, state, delivery_number, host, failure, changed_at)
  select merchant_id, 'live', change + 1, 'failing', delivery_number, host, failure, since
  from unnest($1::text[], $2::integer[], $3::bigint[], $4::text[], $5::text[], $6::timestamptz[])
    as f (merchant_id, change, delivery_number, host, failure, since)
  order by merchant_id
  on conflict (merchant_id, mode) do update set change = excluded.change, state = excluded.state, delivery_number = excluded.delivery_number,
    host = excluded.host, failure = excluded.failure, changed_at = excluded.changed_at, acknowledged_at = null
    where h.change = excluded.change - 1 and h.state <> 'failing'`);

/** Of replicas that find the same at once, one stores it. */
export async function storeFailing(
  pool: Pool,
  rows: (Pick<Failing, "merchant_id" | "change" | "delivery_number" | "since"> & { host: string; failure: string })[],
): Promise<void> {
  if (rows.length > 0)
    await begin(pool, columns(rows, "merchant_id", "change", "delivery_number", "host", "failure", "since"));
}

/** The delivery that showed the failure counts too: it need not be the newest one that was acknowledged. */
const end = statement(`
  update endpoint_health h set change = h.change + 1, failure = null,
    state = case when seen.is_removed then 'removed' else 'recovered' end,
    changed_at = coalesce(seen.acknowledged_at, clock_timestamp()),
    acknowledged_at = case when seen.is_removed then clock_timestamp() end
  from (
    select f.merchant_id, f.mode, f.change, e.url is null as is_removed,
      coalesce(greatest(${lastAcknowledged("f")}, (
        select a.started_at + a.duration_ms * interval '1 millisecond' from deliveries d, attempts a
        where d.number = f.delivery_number and d.status = 'delivered' and a.delivery_number = d.number order by a.attempt desc limit 1
      )), '-infinity') as acknowledged_at
    from endpoint_health f join endpoints e on e.merchant_id = f.merchant_id and e.mode = f.mode
    where f.state = 'failing'
  ) seen
  where h.merchant_id = seen.merchant_id and h.mode = seen.mode and h.change = seen.change and h.state = 'failing'
    and (seen.is_removed or seen.acknowledged_at > h.changed_at)`);

/** Ends the failure of those that acknowledged something since it began, or have no URL any more. */
export const storeEnded = async (pool: Pool) => void (await end(pool));

const WAITING_MAX = 100_000;
/** How many deliveries are held at the endpoint of this row. */
export const waitingAt = (endpoint: string, max = WAITING_MAX) => `(
  select count(*)::integer from (
    select from deliveries d where d.merchant_id = ${endpoint}.merchant_id and d.mode = ${endpoint}.mode and d.status = 'pending'
      and d.next_attempt_at is null order by d.next_attempt_at, d.sequence limit ${max}) waiting)`;

type Unacknowledged = {
  key: string;
  merchant_id: string;
  at: string;
  state: "failing" | "recovered";
  host: string;
  failure: string | null;
  waiting: number;
};

/** With the time, because a restored database would count its changes anew. */
const KEY = "merchant_id || ':' || state || ':' || extract(epoch from changed_at)";
const list = statement<Unacknowledged>(`
  select ${KEY} as key, merchant_id, changed_at as at, state, host, failure, ${waitingAt("h")} as waiting from endpoint_health h
  where acknowledged_at is null order by changed_at limit $1`);
export const listUnacknowledged = (pool: Pool, max: number): Promise<Unacknowledged[]> => list(pool, [max]);

const acknowledge = statement(`
  update endpoint_health set acknowledged_at = clock_timestamp() where acknowledged_at is null and ${KEY} = any ($1::text[])`);
export const acknowledgeChanges = async (pool: Pool, keys: string[]) => void (await acknowledge(pool, [keys]));
