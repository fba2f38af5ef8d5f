import type { Mode } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import type { ProvenTransfer } from "../domain/outbound-proof.ts";

const COLUMNS = `reference, merchant_id as "merchantId", mode, amount, step, status, verdict`;

const page = statement<ProvenTransfer>(
  `select ${COLUMNS} from transfers where reference > $1 order by reference limit $2`,
);
/** The next transfers after a reference, whatever their step. */
export const pageOfTransfers = (pool: Pool, after: string, limit: number) => page(pool, [after, limit]);

const read = statement<ProvenTransfer>(`select ${COLUMNS} from transfers where reference = any($1::text[])`);
export async function readTransfers(pool: Pool, references: string[]): Promise<Map<string, ProvenTransfer>> {
  const rows = references.length === 0 ? [] : await read(pool, [references]);
  return new Map(rows.map((row) => [row.reference, row]));
}

/**
 * Transfers that are stuck. A created or reserved transfer advances within moments; a sent one may be pending at the
 * bank for a long time; a decided one is retried at the ledger every minute, and a booked one has its event published
 * again until it is recorded. No replica is working on a transfer that has been due for two minutes.
 */
const overdue = statement<{ mode: Mode; step: string; count: number; oldest_created_at: string }>(`
  select mode, step, count(*)::integer as count, min(created_at) as oldest_created_at from transfers
  where step not in ('told', 'refused') and (next_at < now() - interval '2 minutes' or case step
    when 'sending' then sent_at < now() - interval '30 minutes'
    when 'decided' then attempts >= 7
    when 'booked' then greatest(completed_at, reversed_at) < now() - interval '5 minutes'
    else created_at < now() - interval '2 minutes' and approval is distinct from 'required'
  end)
  group by mode, step order by mode, step`);
export const countOverdueTransfers = (pool: Pool) => overdue(pool);
