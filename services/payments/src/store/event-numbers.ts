import type { Fact, transferRecorded } from "@collect/contracts";
import { columns, type Session, statement } from "@collect/database";

/** The numbers that webhooks gave to the events of transfers, and to test events: what it goes on from after a restore. */

const keep = statement(`
  insert into event_numbers (key, merchant_id, mode, sequence, delivery_number, recorded_at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::timestamptz[]) as n (key)
  order by n.key
  on conflict (key) do nothing`);

export async function keepEventNumbers(tx: Session, recorded: Fact<typeof transferRecorded>[]): Promise<void> {
  const rows = recorded.map(({ merchant, deliveryNumber = null, ...event }) => ({
    ...event,
    merchantId: merchant.id,
    mode: merchant.mode,
    deliveryNumber,
  }));
  await keep(tx, columns(rows, "key", "merchantId", "mode", "sequence", "deliveryNumber", "recordedAt"));
}
