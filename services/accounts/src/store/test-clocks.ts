import { type Pool, query, statement } from "@collect/database";

/** The test clocks, which this service keeps for all. */

const claim = statement<{ at: string }>(`
  insert into test_clocks as c (merchant_id, at, advanced_until) values ($1, clock_timestamp(), now() + $2 * interval '1 millisecond')
  on conflict (merchant_id) do update set advanced_until = excluded.advanced_until where c.advanced_until <= now()
  returning at`);

/** Gives the clock to this caller alone, for so long at most. False while another has it. */
export async function claimTestClock(pool: Pool, merchantId: string, leaseMs: number): Promise<boolean> {
  return (await claim(pool, [merchantId, leaseMs])).length > 0;
}

const release = statement("update test_clocks set advanced_until = '-infinity' where merchant_id = $1");

export const releaseTestClock = async (pool: Pool, merchantId: string) => void (await release(pool, [merchantId]));

const inFlight = query<{ is_busy: boolean }>(`
  select exists (
    select from inbound_transfers where merchant_id = $1 and mode = 'test' and completed_at is null) as is_busy`);

/** Whether test money of the merchant is still on the path. */
export async function hasTestMoneyInFlight(pool: Pool, merchantId: string): Promise<boolean> {
  return (await inFlight(pool, [merchantId]))[0]?.is_busy ?? false;
}
