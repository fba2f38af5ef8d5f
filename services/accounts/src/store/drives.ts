import type { Mode } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { TRANSFER_COLUMNS, type TransferRow } from "./inbound-transfers.ts";

/** Redriving unfinished transfers: which are due, and when they are due next. */

export type DriveTimes = { firstWaitMs: number; longestWaitMs: number; leaseMs: number };

const claim = statement<TransferRow>(`
  update inbound_transfers t set drive_at = now() + $3 * interval '1 millisecond'
  where t.intake_id = any(array(
    select intake_id from inbound_transfers where completed_at is null and mode = $1 and drive_at <= now()
    order by drive_at limit $2 for update skip locked))
  returning ${TRANSFER_COLUMNS}`);

/** Claims due transfers, the longest due first, exclusively for `leaseMs`; after that they are due again unless they were driven. */
export function claimDueTransfers(
  pool: Pool,
  { mode, limit, leaseMs }: { mode: Mode; limit: number; leaseMs: number },
): Promise<TransferRow[]> {
  return claim(pool, [mode, limit, leaseMs]);
}

const driven = statement(`
  update inbound_transfers set drives = drives + 1,
    drive_at = now() + least($2 * power(2, least(drives, 20)), $3) * interval '1 millisecond'
  where intake_id = any($1::text[]) and completed_at is null`);

/** Records published transfers: each waits twice as long as before. A failed publish does not count as a drive. */
export async function markDriven(pool: Pool, intakeIds: string[], times: DriveTimes): Promise<void> {
  await driven(pool, [intakeIds, times.firstWaitMs * 2, times.longestWaitMs]);
}

const pullForward = statement<{ intake_id: string }>(`
  update inbound_transfers set drive_at = now() + $2 * interval '1 millisecond'
  where intake_id = any(array(
    select intake_id from inbound_transfers
    where completed_at is null and mode = $1 and drive_at > now() + $2 * interval '1 millisecond'
    order by drive_at desc limit $3 for update skip locked))
  returning intake_id`);

/** After the broker was disconnected and may have lost everything, unfinished transfers are due within the first wait. Returns how many were rescheduled. */
export async function bringForward(
  pool: Pool,
  { mode, withinMs, limit }: { mode: Mode; withinMs: number; limit: number },
): Promise<number> {
  return (await pullForward(pool, [mode, withinMs, limit])).length;
}
