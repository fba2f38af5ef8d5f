import { query, type Session, type Transaction } from "@collect/database";

/**
 * The transfers of a merchant in test mode that wait for a time of its test clock: the bank is to be asked again, or an approval
 * is to come. Everything else that is due at a time is so in real time: leases, and retries after a failure of ours.
 */

/** No lease and no retry of ours is as long: what is due by the clock and lies further ahead was waiting for it. */
const LEASES_MAX = "interval '10 minutes'";

/** By now, in test time, and due after `$2`, the test time before; or missed by a crash or a race when the clock was moved. */
const hasCome = (column: string) =>
  `${column} <= $3::timestamptz and ${column} > least($2::timestamptz, now() + ${LEASES_MAX})`;

const release = query<{ due: number }>(`
  with due as (
    update transfers set next_at = now()
    where merchant_id = $1 and mode = 'test' and step in ('reserved', 'sending') and ${hasCome("next_at")} returning 1),
  followed as (
    update transfers set follow_up_at = now()
    where merchant_id = $1 and mode = 'test' and ${hasCome("follow_up_at")} returning 1)
  select (select count(*) from due)::integer + (select count(*) from followed)::integer as due`);

/** Makes due now, in real time, what the clock has reached. Returns how many. */
export async function releaseDue(
  tx: Transaction,
  merchantId: string,
  span: { from: string; to: string },
): Promise<number> {
  const [row] = await release(tx, [merchantId, span.from, span.to]);
  return row?.due ?? 0;
}

const waiting = query<{ is_busy: boolean; next_at: string | null }>(`
  select coalesce(bool_or(at <= $2::timestamptz), false) as is_busy, min(at) filter (where at > $2::timestamptz) as next_at
  from transfers cross join lateral (values (next_at), (follow_up_at)) as times (at)
  where merchant_id = $1 and mode = 'test' and (next_at is not null or follow_up_at is not null)`);

/** Whether something that was due is still in progress, and the earliest time for which something waits. */
export async function waitingTransfers(session: Session, merchantId: string, at: string) {
  const [row] = await waiting(session, [merchantId, at]);
  return { isBusy: row?.is_busy ?? false, nextAt: row?.next_at ?? null };
}
