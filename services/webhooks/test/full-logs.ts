import type { MerchantScope } from "@collect/contracts";
import type { Pool } from "@collect/database";

/** Many enough to tell a page from a walk. */
export const ROWS = 20_000;

/** Of the row with this number. */
export function createdAt(number: number): string {
  return new Date(Date.UTC(2026, 7, 1) + number * 60_000).toISOString();
}

/** A merchant's events, a minute apart, and a delivery of each. */
export async function fillLogs(owner: Pool, { id }: MerchantScope): Promise<void> {
  await owner.query(
    `insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, delivery_number, created_at)
     select $1, 'test', n, 'k' || n, 'collection.success', 'col_' || n, 100, 'x', n, $2::timestamptz + n * interval '1 minute'
     from generate_series(1, ${ROWS}) n`,
    [id, createdAt(0)],
  );
  await owner.query(
    `insert into deliveries (number, merchant_id, mode, sequence, url, kind, status, created_at)
     select n, $1, 'test', n, 'https://x', 'collection.success', 'delivered', $2::timestamptz + n * interval '1 minute'
     from generate_series(1, ${ROWS}) n`,
    [id, createdAt(0)],
  );
  // What filling them read is counted now, and not as what a page reads.
  await owner.query("select pg_stat_force_next_flush()");
}
