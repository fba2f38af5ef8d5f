import type { ReceivedMinute } from "@collect/contracts";
import { type Session, statement } from "@collect/database";

/** Collections by the mode and the minute in which accounts took them in. The index bounds what is read to the pages of that time. */
const count = statement<ReceivedMinute>(`
  select mode, 'collection' as kind, date_trunc('minute', received_at, 'UTC') as minute,
    count(*)::integer as count, sum(amount)::bigint as sum
  from collections where received_at >= $1 and received_at < $2
  group by 1, 3 order by 3, 1`);

export const receivedMinutes = (tx: Session, { from, to }: { from: string; to: string }): Promise<ReceivedMinute[]> =>
  count(tx, [from, to]);
