import { type MerchantScope, Problem } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { formatNaira } from "@collect/money";

/**
 * The maximum of test money per merchant and day (UTC): twenty billion naira. Test money costs nothing, so without a limit
 * one key could fill our own ledger accounts. See docs/decisions/0019-amounts-and-test-volume-are-capped.md.
 */
export const TEST_VOLUME_MAX_KOBO = 2_000_000_000_000n;

/**
 * One row per merchant, which restarts each day. Money is counted before its intake, so refused or repeated money counts too:
 * the count may be too high, never too low. It commits asynchronously (synchronous_commit = off), because all concurrent
 * simulations of a merchant wait for this row; a power failure loses only the last moments of the count.
 */
const spend = statement<{ amount: bigint }>(`
  insert into test_volumes as v (merchant_id, day, amount)
  select $1, current_date, $2::bigint from (select set_config('synchronous_commit', 'off', true)) as lazily
  where $2::bigint <= $3::bigint
  on conflict (merchant_id) do update
    set day = excluded.day, amount = excluded.amount + case when v.day = excluded.day then v.amount else 0 end
    where excluded.amount + case when v.day = excluded.day then v.amount else 0 end <= $3::bigint
  returning amount`);

/** Throws `rate_limited` until the next day when the merchant's test money of today would exceed the limit. */
export async function spendTestVolume(pool: Pool, merchant: MerchantScope, amount: bigint): Promise<void> {
  const [spent] = await spend(pool, [merchant.id, amount, TEST_VOLUME_MAX_KOBO]);
  if (spent) return;
  const limit = `At most ${formatNaira(TEST_VOLUME_MAX_KOBO)} of test money is allowed per merchant and day (UTC)`;
  throw new Problem("rate_limited", `${limit}: this payment would exceed it.`, { retryAfterS: secondsToMidnight() });
}

const DAY_S = 86_400;
const secondsToMidnight = () => DAY_S - (Math.floor(Date.now() / 1_000) % DAY_S);
