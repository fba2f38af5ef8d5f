import type { Fact, MerchantScope, Mode, transferRecorded } from "@collect/contracts";
import { columns, type Pool, type Session, statement } from "@collect/database";
import { type ChangeCursor, START } from "../domain/change-cursor.ts";

/** The numbers that webhooks assigned to the events of transfers, attached collections, reversals and tests: after a restore it continues from these. */

const keep = statement(`
  insert into event_numbers (key, merchant_id, mode, sequence, delivery_number, recorded_at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::timestamptz[]) as n (key)
  order by n.key
  on conflict (key) do nothing`);

/** The key of the event of an attached collection, and back. */
const ATTACHED = "collection.attached:";
export const attachedKey = (intakeId: string): string => `${ATTACHED}${intakeId}`;
export const attachedOf = (key: string): string | undefined =>
  key.startsWith(ATTACHED) ? key.slice(ATTACHED.length) : undefined;

/** The same of a reversal. */
const REVERSED = "collection.reversed:";
export const reversedKey = (intakeId: string): string => `${REVERSED}${intakeId}`;
export const reversedOf = (key: string): string | undefined =>
  key.startsWith(REVERSED) ? key.slice(REVERSED.length) : undefined;

export async function keepEventNumbers(tx: Session, recorded: Fact<typeof transferRecorded>[]): Promise<void> {
  const rows = recorded.map(({ merchant, deliveryNumber = null, ...event }) => ({
    ...event,
    merchantId: merchant.id,
    mode: merchant.mode,
    deliveryNumber,
  }));
  await keep(tx, columns(rows, "key", "merchantId", "mode", "sequence", "deliveryNumber", "recordedAt"));
}

const keepOne = statement(`
  insert into event_numbers (key, merchant_id, mode, sequence, delivery_number, recorded_at)
  values ($1, $2, $3, $4, $5, $6) on conflict (key) do nothing`);
export async function keepTestNumber(
  pool: Pool,
  event: {
    key: string;
    merchant: MerchantScope;
    sequence: number;
    delivery_number: number | null;
    recorded_at: string;
  },
): Promise<void> {
  const { key, merchant, sequence, delivery_number, recorded_at } = event;
  await keepOne(pool, [key, merchant.id, merchant.mode, sequence, delivery_number, recorded_at]);
}

export type NumberRow = {
  key: string;
  merchantId: string;
  mode: Mode;
  sequence: bigint;
  deliveryNumber: bigint | null;
  recordedAt: string;
  at: string;
};
const numbers = statement<NumberRow>(`
  select key, merchant_id as "merchantId", mode, sequence, delivery_number as "deliveryNumber", recorded_at as "recordedAt",
    to_char(kept_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at
  from event_numbers where kept_at >= $1 and (kept_at, key) > ($2::timestamptz, $3) order by kept_at, key limit $4`);

export function eventNumbers(pool: Pool, given: { since: string; after: ChangeCursor | null; limit: number }) {
  const { at, key } = given.after ?? START;
  return numbers(pool, [given.since, at, key, given.limit]);
}
