import { type Pool, statement } from "@collect/database";

const forget = statement<{ reference: string }>(`
  update sessions set payer_name = null, payer_email = null where reference = any (array(
    select reference from sessions
    where status = 'expired' and payer_email is not null and watch_until < clock_timestamp() - $1 * interval '1 day'
    order by watch_until limit $2 for update skip locked))
  returning reference`);

/**
 * Forgets who wanted to pay a session that nothing was paid for, long after money could still arrive for it. The session itself
 * stays. Its version does too: the checkout's copy is deleted sooner. Returns how many.
 */
export const forgetUnpaidPayers = async (pool: Pool, { days, max }: { days: number; max: number }): Promise<number> =>
  (await forget(pool, [days, max])).length;
