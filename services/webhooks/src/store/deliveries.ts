import { columns, type Pool, statement } from "@collect/database";
import type { AttemptResult } from "../domain/job.ts";

/**
 * Selects the pending ones among deliveries looked up by number, in a form that matches no index: with the partial index on
 * pending deliveries, planned while it was empty, 512 results took 5 s among 8,000 claimed deliveries.
 */
export const PENDING = "case d.status when 'pending' then true else false end";
const CURRENT_URL = "(select p.url from endpoints p where (p.merchant_id, p.mode) = (d.merchant_id, d.mode))";

/**
 * The endpoint's URL has changed: unacknowledged events move there, each as a delivery of its own (one number for one event to
 * one URL), due immediately. When the endpoint returns to an earlier URL, that URL's delivery is resumed; if it was already
 * finished, this is a replay that moves, and a new round begins. Without a URL the delivery is only superseded. An event that
 * was pending at several URLs moves once. If the URL is the delivery's own again, it stays claimed and is sent after its lease.
 */
const move = statement(`
  with ended as (
    update deliveries d set status = 'superseded', claimed = false, next_attempt_at = null
    where d.number = any($1::bigint[]) and ${PENDING} and d.url is distinct from ${CURRENT_URL}
    returning d.merchant_id, d.mode, d.sequence, d.kind, ${CURRENT_URL} as url
  )
  insert into deliveries as d (merchant_id, mode, sequence, url, kind, next_attempt_at)
  select distinct on (merchant_id, mode, sequence) merchant_id, mode, sequence, url, kind, now() from ended where url is not null
  order by merchant_id, mode, sequence, kind desc
  on conflict (merchant_id, mode, sequence, url) do update set status = 'pending', claimed = false, next_attempt_at = now(),
    attempts_before = case d.status when 'superseded' then d.attempts_before else d.attempts end
    where d.status <> 'pending'`);

export async function moveToCurrentUrl(pool: Pool, numbers: bigint[]): Promise<void> {
  await move(pool, [numbers]);
}

/** Releases claimed deliveries without an attempt: any replica with free capacity claims them. */
const release = statement(`
  update deliveries d set claimed = false, next_attempt_at = now() where d.number = any($1::bigint[]) and ${PENDING}`);

export async function releaseDeliveries(pool: Pool, numbers: bigint[]): Promise<void> {
  await release(pool, [numbers]);
}

/**
 * Stores attempts and updates their deliveries. A result stored after its lease, when another process has repeated the
 * attempt, counts only if it is an acknowledgment, and not for a replay that has started since. It commits asynchronously
 * (synchronous_commit = off): a lost result means sending once more, which the documentation tells merchants to expect.
 */
const store = statement(`
  with async_commit as (select set_config('synchronous_commit', 'off', true)),
  results as (
    select * from async_commit, unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::integer[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::bigint[])
      as r (number, attempt, started_at, duration_ms, status, error, response, outcome, retry_in_ms)
  ),
  logged as (
    insert into attempts (delivery_number, attempt, started_at, duration_ms, status, error, response)
    select number, attempt, started_at, duration_ms, status, error, response from results
    on conflict (delivery_number, attempt) do nothing
  )
  update deliveries d set
    status = r.outcome,
    attempts = greatest(d.attempts, r.attempt),
    last_status = r.status,
    claimed = false,
    next_attempt_at = time_of(d.merchant_id, d.mode) + r.retry_in_ms * interval '1 millisecond'
  from results r
  where d.number = r.number and ${PENDING} and (d.attempts < r.attempt or (r.outcome = 'delivered' and d.attempts_before < r.attempt))`);

/**
 * What fails at an endpoint that is held or paused is held, too: parked in a statement of its own, which sees the holds that were
 * committed while the results were stored.
 */
const parkAtHeld = statement(`
  update deliveries d set next_attempt_at = null
  where d.number = any($1::bigint[]) and ${PENDING} and not d.claimed and exists (
    select from holds h where (h.merchant_id, h.mode) = (d.merchant_id, d.mode) and h.state <> 'releasing')`);

export async function storeResults(pool: Pool, results: AttemptResult[]): Promise<void> {
  const ordered = results.toSorted((a, b) => (a.number < b.number ? -1 : 1));
  await store(pool, columns(ordered, ...RESULT_FIELDS));
  const failed = ordered.filter(({ outcome }) => outcome === "pending").map(({ number }) => number);
  if (failed.length > 0) await parkAtHeld(pool, [failed]);
}

const RESULT_FIELDS = [
  "number",
  "attempt",
  "startedAt",
  "durationMs",
  "status",
  "error",
  "response",
  "outcome",
  "retryInMs",
] as const;
