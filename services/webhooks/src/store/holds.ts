import type { MerchantScope, Mode } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";
import type { StoredHold } from "../domain/hold.ts";
import type { LostChange } from "../domain/lost-changes.ts";
import { lastAcknowledged, waitingAt } from "./endpoint-health.ts";

/**
 * Endpoints whose deliveries are held (domain/hold.ts): one row each, and none for an endpoint that gets its events at once. A
 * delivery that is pending and has no time is held. What is left over without a hold, because it was recorded while the hold ended,
 * is found and released.
 */

export type Scope = { merchant_id: string; mode: Mode };

/** Retries that a hold takes out of their schedule at once; more of them are parked when they are due. */
const PARKED_MAX = 5_000;
/** Parks what waits for its retry at the endpoints `s`: with the rest, it goes out in order. */
export const parkScheduled = (source: string) => `
  update deliveries d set next_attempt_at = null where d.number = any(array(
    select waiting.number from ${source}, lateral (
      select number from deliveries w where w.merchant_id = s.merchant_id and w.mode = s.mode
        and w.status = 'pending' and w.next_attempt_at > now() and not w.claimed
      order by w.next_attempt_at limit ${PARKED_MAX}) waiting)) and not d.claimed`;

/** An endpoint whose attempts fail in a row, the first of them at `since`. */
export type Failing = { merchantId: string; mode: Mode; since: string };

/**
 * Holds the endpoints that acknowledged nothing since then, whatever other processes saw. One delivery alone is not held: it is
 * probed as it is, by its own schedule, and may be what its server refuses. Returns those of the given that are held or paused.
 */
const begin = statement<Scope>(`
  with failing as (select * from unnest($1::text[], $2::text[], $3::timestamptz[]) as f (merchant_id, mode, since)),
  begun as (
    insert into holds (merchant_id, mode, state, next_batch_at)
    select f.merchant_id, f.mode, 'held', time_of(f.merchant_id, f.mode) + $4 * interval '1 millisecond'
    from failing f join endpoints e using (merchant_id, mode)
    where e.url is not null and coalesce(${lastAcknowledged("f")} < f.since, true) and 2 = (
      select count(*) from (
        select from deliveries d where d.merchant_id = f.merchant_id and d.mode = f.mode and d.status = 'pending'
        order by d.next_attempt_at limit 2) two)
    order by f.merchant_id, f.mode
    on conflict (merchant_id, mode) do nothing
    returning merchant_id, mode
  )
  select merchant_id, mode from begun
  union all
  select h.merchant_id, h.mode from failing f, lateral (
    select merchant_id, mode from holds where merchant_id = f.merchant_id and mode = f.mode and state <> 'releasing') h`);

export async function beginHolds(pool: Pool, failing: Failing[], firstProbeInMs: number): Promise<Scope[]> {
  const silent = await begin(pool, [...columns(failing, "merchantId", "mode", "since"), firstProbeInMs]);
  await parkAll(pool, silent);
  return silent;
}

/**
 * A statement of its own, once the hold is committed: a result that is stored at the same time either sees the hold, or is seen
 * here. After a crash in between, what was not parked is parked after the first probe, or when it is due.
 */
const park = statement(
  parkScheduled(`(
      select h.merchant_id, h.mode from unnest($1::text[], $2::text[]) as q (merchant_id, mode)
      join holds h on h.merchant_id = q.merchant_id and h.mode = q.mode and h.state <> 'releasing') as s`),
);
async function parkAll(pool: Pool, scopes: Scope[]): Promise<void> {
  if (scopes.length > 0) await park(pool, columns(scopes, "merchant_id", "mode"));
}

/** Probes the endpoints of `source` at once, if they are held: something has changed. */
export const probeNow = (source: string) => `
  update holds h set next_batch_at = now() from ${source} s
  where h.merchant_id = s.merchant_id and h.mode = s.mode and h.state = 'held' and h.next_batch_at > now()`;

const hurry = statement(probeNow("(select $1::text as merchant_id, $2::text as mode)"));
export const hurryProbe = async (pool: Pool, { id, mode }: MerchantScope) => void (await hurry(pool, [id, mode]));

const SINCE_PAUSED = "since = case h.state when 'paused' then h.since else clock_timestamp() end";
const stop = statement<Scope>(`
  insert into holds as h (merchant_id, mode, state, next_batch_at)
  select merchant_id, mode, 'paused', now() from endpoints where merchant_id = $1 and mode = $2 and url is not null
  on conflict (merchant_id, mode) do update set state = 'paused', batch_size = 1, ${SINCE_PAUSED},
    lost_change_at = case h.state when 'paused' then h.lost_change_at end
  returning merchant_id, mode`);
/** False without a URL. Attempts in progress end; within a second no more are started. */
export async function pause(pool: Pool, { id, mode }: MerchantScope): Promise<boolean> {
  const paused = await stop(pool, [id, mode]);
  await parkAll(pool, paused);
  return paused.length > 0;
}

/** What is set is not what the merchant set last: nothing is sent until it was looked at. */
const stopForLost = statement<Scope>(`
  insert into holds as h (merchant_id, mode, state, next_batch_at, lost_change_at)
  select l.merchant_id, l.mode, 'paused', now(), l.at
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as l (merchant_id, mode, at)
  join endpoints e on e.merchant_id = l.merchant_id and e.mode = l.mode
  where e.url is not null order by l.merchant_id, l.mode
  on conflict (merchant_id, mode) do update set state = 'paused', batch_size = 1, ${SINCE_PAUSED}, lost_change_at = excluded.lost_change_at
  returning merchant_id, mode`);
/** Returns those that have a URL. Run again it changes nothing. */
export async function pauseForLost(pool: Pool, changes: LostChange[]): Promise<Scope[]> {
  if (changes.length === 0) return [];
  const paused = await stopForLost(pool, columns(changes, "merchantId", "mode", "at"));
  await parkAll(pool, paused);
  return paused;
}

/** What was paused or held is probed at once, and released when the probe is acknowledged. */
const go = statement(`
  update holds set state = 'held', batch_size = 1, probes = 0, next_batch_at = now(), lost_change_at = null,
    since = case state when 'paused' then clock_timestamp() else since end
  where merchant_id = $1 and mode = $2 and state in ('paused', 'held')`);
export const resume = async (pool: Pool, { id, mode }: MerchantScope) => void (await go(pool, [id, mode]));

/** Those of the given endpoints to which nothing may be sent but a probe. */
const silent = statement<Scope>(`
  select h.merchant_id, h.mode from unnest($1::text[], $2::text[]) as q (merchant_id, mode), lateral (
    select merchant_id, mode from holds where merchant_id = q.merchant_id and mode = q.mode and state <> 'releasing') h`);
export const findSilent = (pool: Pool, queues: { merchantId: string; mode: Mode }[]): Promise<Scope[]> =>
  silent(pool, columns(queues, "merchantId", "mode"));

/** Deliveries that are held at an endpoint without a hold: a loose index scan over merchants, which ends at once if there are none. */
const adopt = statement(`
  with recursive scopes as (
    (select merchant_id, mode from deliveries where status = 'pending' and next_attempt_at is null
      order by merchant_id, mode, next_attempt_at, sequence limit 1)
    union all
    select following.* from scopes, lateral (
      select d.merchant_id, d.mode from deliveries d
      where d.status = 'pending' and d.next_attempt_at is null and (d.merchant_id, d.mode) > (scopes.merchant_id, scopes.mode)
      order by d.merchant_id, d.mode, d.next_attempt_at, d.sequence limit 1) following
  )
  insert into holds (merchant_id, mode, state, next_batch_at)
  select merchant_id, mode, 'releasing', now() from scopes s
  where mode = $1 and not exists (select from holds h where h.merchant_id = s.merchant_id and h.mode = s.mode)
  on conflict (merchant_id, mode) do nothing`);
export const adoptHeld = async (pool: Pool, mode: Mode) => void (await adopt(pool, [mode]));

/** Arrivals are measured over so many events. */
const ARRIVALS_OVER = 100;
const find = statement<StoredHold>(`
  select state, since, next_batch_at, rate, lost_change_at, ${waitingAt("h")} as waiting, (
      select coalesce(count(*) / greatest(extract(epoch from clock_timestamp() - min(created_at)), 1), 0)::double precision from (
        select created_at from events e where e.merchant_id = h.merchant_id and e.mode = h.mode
        order by e.sequence desc limit ${ARRIVALS_OVER}) newest
    ) as arrivals
  from holds h where merchant_id = $1 and mode = $2`);

export async function findHold(pool: Pool, { id, mode }: MerchantScope): Promise<StoredHold | undefined> {
  const [hold] = await find(pool, [id, mode]);
  return hold;
}
