import { query, type Session } from "@collect/database";

/** What waits in test mode by a merchant's test clock: retries, and the probes of an endpoint that is held. Claims end in real time, and are left alone. */

/** No claim ends later than this. */
const CLAIMED_MAX = "now() + interval '10 minutes'";

const release = query<{ number: bigint }>(`
  update deliveries set next_attempt_at = now()
  where merchant_id = $1 and mode = 'test' and status = 'pending' and not claimed
    and next_attempt_at > now() and next_attempt_at <= $2::timestamptz
  returning number`);

/** While a batch is in progress, the time of the next one is its lease. */
const probe = query(`
  update holds set next_batch_at = now()
  where merchant_id = $1 and mode = 'test' and state = 'held' and next_batch_at > now() and next_batch_at <= $2::timestamptz
    and not exists (select from deliveries where merchant_id = $1 and mode = 'test' and status = 'pending' and claimed
      and next_attempt_at between now() and ${CLAIMED_MAX})
  returning merchant_id`);

/** Makes due now, in real time, what the clock has reached. Returns how many. */
export async function releaseDue(tx: Session, merchantId: string, at: string): Promise<number> {
  const [retries, probes] = [await release(tx, [merchantId, at]), await probe(tx, [merchantId, at])];
  return retries.length + probes.length;
}

const waiting = query<{ is_busy: boolean; next_at: string | null }>(`
  select exists (
      select from deliveries where merchant_id = $1 and mode = 'test' and status = 'pending'
        and next_attempt_at <= greatest($2::timestamptz, ${CLAIMED_MAX}) and (claimed or next_attempt_at <= $2::timestamptz))
      or exists (select from holds where merchant_id = $1 and mode = 'test' and state <> 'paused' and next_batch_at <= $2::timestamptz) as is_busy,
    least(
      (select next_attempt_at from deliveries where merchant_id = $1 and mode = 'test' and status = 'pending'
        and next_attempt_at > $2::timestamptz and not claimed order by next_attempt_at limit 1),
      (select next_batch_at from holds where merchant_id = $1 and mode = 'test' and state = 'held' and next_batch_at > $2::timestamptz)) as next_at`);

/** Whether an attempt that was due is still to be made or in progress, and when the next retry or probe is due. */
export async function waitingDeliveries(session: Session, merchantId: string, at: string) {
  const [row] = await waiting(session, [merchantId, at]);
  return { isBusy: row?.is_busy ?? false, nextAt: row?.next_at ?? null };
}
