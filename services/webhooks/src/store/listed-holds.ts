import { LISTED_WAITING_MAX, type Mode } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import type { StoredHold } from "../domain/hold.ts";
import { lastAcknowledged, waitingAt } from "./endpoint-health.ts";

export type ListedHold = Pick<StoredHold, "state" | "since" | "lost_change_at" | "waiting"> & {
  merchant_id: string;
  mode: Mode;
  url: string | null;
  next_attempt_at: string | null;
  oldest_at: string | null;
  last_at: string | null;
  last_status: number | null;
  last_error: string | null;
  last_acknowledged_at: string | null;
};

type Filter = { merchant_id?: string | undefined; mode?: Mode | undefined; state?: ListedHold["state"] | undefined };

/**
 * The holds of all endpoints, a page at a time. The oldest delivery is the first of those that are held, or the one that is being
 * tried: what a process has claimed has a time.
 */
const list = query<ListedHold>(`
  with page as (
    select * from holds
    where ($1::text is null or merchant_id = $1) and ($2::text is null or mode = $2) and ($3::text is null or state = $3)
      and ($4::timestamptz is null or (since, merchant_id, mode) > ($4, $5, $6))
    order by since, merchant_id, mode limit $7)
  select h.merchant_id, h.mode, e.url, h.state, h.since, ${waitingAt("h", LISTED_WAITING_MAX)} as waiting,
    case h.state when 'held' then h.next_batch_at end as next_attempt_at,
    case h.state when 'paused' then h.lost_change_at end as lost_change_at,
    oldest.created_at as oldest_at, last.started_at as last_at, last.status as last_status, last.error as last_error,
    ${lastAcknowledged("h")} as last_acknowledged_at
  from page h
  left join endpoints e on e.merchant_id = h.merchant_id and e.mode = h.mode
  left join lateral (
    select first.number, event.created_at from (
      (select * from deliveries d where d.merchant_id = h.merchant_id and d.mode = h.mode and d.status = 'pending'
        and d.next_attempt_at is null order by d.next_attempt_at, d.sequence limit 1)
      union all
      (select * from deliveries d where d.merchant_id = h.merchant_id and d.mode = h.mode and d.status = 'pending'
        and d.next_attempt_at is not null order by d.next_attempt_at limit 1)) first
    join events event using (merchant_id, mode, sequence)
    order by first.sequence limit 1) oldest on true
  left join lateral (
    select started_at, status, error from attempts where delivery_number = oldest.number order by attempt desc limit 1) last on true
  order by h.since, h.merchant_id, h.mode`);

export function listHolds(
  pool: Pool,
  { merchant_id, mode, state, after = [], rows }: Filter & { after: string[] | undefined; rows: number },
): Promise<ListedHold[]> {
  const [since, merchantId, inMode] = after;
  return list(pool, [merchant_id, mode, state, since, merchantId, inMode, rows]);
}
