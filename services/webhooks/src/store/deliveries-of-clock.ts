import { query, type Session } from "@collect/database";

/** The deliveries of a merchant in test mode that wait for a retry, by its test clock. Claims end in real time, and are left alone. */

const release = query<{ number: bigint }>(`
  update deliveries set next_attempt_at = now()
  where merchant_id = $1 and mode = 'test' and status = 'pending' and not claimed
    and next_attempt_at > now() and next_attempt_at <= $2::timestamptz
  returning number`);

/** Makes due now, in real time, what the clock has reached. Returns how many. */
export async function releaseDue(tx: Session, merchantId: string, at: string): Promise<number> {
  return (await release(tx, [merchantId, at])).length;
}

/** No claim ends later than this. */
const CLAIMED_MAX = "now() + interval '10 minutes'";

const waiting = query<{ is_busy: boolean; next_at: string | null }>(`
  select exists (
      select from deliveries where merchant_id = $1 and mode = 'test' and status = 'pending'
        and next_attempt_at <= greatest($2::timestamptz, ${CLAIMED_MAX}) and (claimed or next_attempt_at <= $2::timestamptz)) as is_busy,
    (select next_attempt_at from deliveries where merchant_id = $1 and mode = 'test' and status = 'pending'
      and next_attempt_at > $2::timestamptz and not claimed order by next_attempt_at limit 1) as next_at`);

/** Whether an attempt that was due is still to be made or in progress, and when the next retry is due. */
export async function waitingDeliveries(session: Session, merchantId: string, at: string) {
  const [row] = await waiting(session, [merchantId, at]);
  return { isBusy: row?.is_busy ?? false, nextAt: row?.next_at ?? null };
}
