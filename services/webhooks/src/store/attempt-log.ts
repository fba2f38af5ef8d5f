import type { MerchantScope } from "@collect/contracts";
import { type Pool, query, statement } from "@collect/database";

export type AttemptRow = {
  number: bigint;
  sequence: bigint;
  attempt: number;
  started_at: string;
  duration_ms: number;
  status: number | null;
  error: string | null;
  response: string | null;
};

/** A delivery that was replayed many times can have more; the newest are returned. */
const ATTEMPTS_MAX = 200;

const ofDeliveries = query<AttemptRow>(`
  select d.number, d.sequence, a.* from deliveries d, lateral (
    select attempt, started_at, duration_ms, status, error, response from attempts
    where delivery_number = d.number order by attempt desc limit ${ATTEMPTS_MAX}) a
  where d.merchant_id = $1 and d.mode = $2 and d.number = any($3::bigint[])
  order by d.number desc, a.attempt desc`);

/** Newest first. */
export function attemptsOf(pool: Pool, { id, mode }: MerchantScope, numbers: bigint[]): Promise<AttemptRow[]> {
  return ofDeliveries(pool, [id, mode, numbers]);
}

const ofEvents = query<AttemptRow>(`
  select a.* from unnest($3::bigint[]) e (sequence), lateral (
    select d.number, d.sequence, a.attempt, a.started_at, a.duration_ms, a.status, a.error, null as response
    from deliveries d join attempts a on a.delivery_number = d.number
    where d.merchant_id = $1 and d.mode = $2 and d.sequence = e.sequence
    order by a.started_at desc, a.attempt desc limit ${ATTEMPTS_MAX}) a
  order by a.started_at, a.number, a.attempt`);

/** The attempts to any URL for the events with these sequence numbers, oldest first. */
export function attemptsOfEvents(pool: Pool, { id, mode }: MerchantScope, sequences: bigint[]): Promise<AttemptRow[]> {
  return ofEvents(pool, [id, mode, sequences]);
}

const forget = statement<{ attempt: number }>(`
  update attempts set response = null where (delivery_number, attempt) in (
    select delivery_number, attempt from attempts
    where response is not null and started_at < clock_timestamp() - $1 * interval '1 day'
    order by started_at limit $2 for update skip locked)
  returning attempt`);

/** Forgets what merchants' servers responded, apart from the status; returns how many responses. */
export const forgetResponses = async (pool: Pool, { days, max }: { days: number; max: number }): Promise<number> =>
  (await forget(pool, [days, max])).length;
