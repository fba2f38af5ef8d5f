import { type MerchantScope, Problem } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { formatNaira } from "@collect/money";

/**
 * How much test money a merchant may let arrive on one day (UTC): twenty billion naira. Test money costs nothing, so without
 * it one key could fill our own ledger accounts. See docs/decisions/0019-amounts-and-test-volume-are-capped.md.
 */
export const TEST_VOLUME_MAX_KOBO = 2_000_000_000_000n;

/**
 * One row a merchant, which begins anew each day. It is counted before the money is taken in, so money that then is not, or
 * is a repeat, counts too: the count may be too high, never too low. It commits without waiting for the disk, because all
 * simulations of a merchant at once wait for this row; what a power cut loses of it is a moment's count.
 */
const spend = statement<{ amount: bigint }>(`
  insert into test_volumes as v (merchant_id, day, amount)
  select $1, current_date, $2::bigint from (select set_config('synchronous_commit', 'off', true)) as lazily
  where $2::bigint <= $3::bigint
  on conflict (merchant_id) do update
    set day = excluded.day, amount = excluded.amount + case when v.day = excluded.day then v.amount else 0 end
    where excluded.amount + case when v.day = excluded.day then v.amount else 0 end <= $3::bigint
  returning amount`);

/** Throws `rate_limited` until the next day when the merchant's test money of today would come to more than the limit. */
export async function spendTestVolume(pool: Pool, merchant: MerchantScope, amount: bigint): Promise<void> {
  const [spent] = await spend(pool, [merchant.id, amount, TEST_VOLUME_MAX_KOBO]);
  if (spent) return;
  const limit = `At most ${formatNaira(TEST_VOLUME_MAX_KOBO)} of test money arrives for a merchant on one day (UTC)`;
  throw new Problem("rate_limited", `${limit}: this payment would be more.`, { retryAfterS: secondsToMidnight() });
}

const DAY_S = 86_400;
const secondsToMidnight = () => DAY_S - (Math.floor(Date.now() / 1_000) % DAY_S);
