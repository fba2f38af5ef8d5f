import type { ReceivedMinute } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

/**
 * Collections by the mode and the minute in which accounts received them: only their events have such a time. The index bounds
 * what is read to the pages of that time; a condition on the kind would draw a plan made for a small table to another index.
 */
const count = statement<ReceivedMinute>(`
  select mode, 'collection' as kind, date_trunc('minute', received_at) as minute,
    count(*)::integer as count, sum(amount_kobo)::bigint as sum
  from events
  where received_at >= $1 and received_at < $2
  group by mode, date_trunc('minute', received_at)
  order by minute, mode`);

export function countReceived(pool: Pool, { from, to }: { from: string; to: string }): Promise<ReceivedMinute[]> {
  return count(pool, [from, to]);
}
