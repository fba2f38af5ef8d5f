import type { ReceivedMinute } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

/**
 * Money that was allocated counts twice, as in the ledger: it came into suspense, and from there to its owner.
 * Both are counted in one pass over the rows: 100,000 in 50 ms, and in 210 ms when each row is made two.
 */
const count = statement<ReceivedMinute>(`
  select m.mode, k.kind, m.minute, k.count::integer as count, k.sum::bigint as sum
  from (
    select mode, date_trunc('minute', received_at) as minute,
      count(*) filter (where merchant_id is not null) as owned, sum(amount) filter (where merchant_id is not null) as owned_sum,
      count(*) filter (where merchant_id is null or allocated_at is not null) as suspended,
      sum(amount) filter (where merchant_id is null or allocated_at is not null) as suspended_sum
    from inbound_transfers where received_at >= $1 and received_at < $2
    group by 1, 2
  ) as m
  cross join lateral (values ('collection', owned, owned_sum), ('suspense', suspended, suspended_sum)) as k (kind, count, sum)
  where k.count > 0`);

export const receivedMinutes = (pool: Pool, { from, to }: { from: string; to: string }): Promise<ReceivedMinute[]> =>
  count(pool, [from, to]);

const oldest = statement<{ received_at: string | null }>(
  "select min(received_at) as received_at from inbound_transfers",
);
export async function oldestReceived(pool: Pool): Promise<string | undefined> {
  const [row] = await oldest(pool);
  return row?.received_at ?? undefined;
}
