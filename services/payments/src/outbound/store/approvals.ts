import type { Actor, MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import { NOT_APPROVED, type Transfer } from "../domain/transfer.ts";
import { TRANSFER_COLUMNS } from "./transfers.ts";

/**
 * Each statement decides about a transfer that waits for approval, and returns nothing if that was decided before: the first
 * decision stands, whoever else decides at the same moment.
 */

const approve = statement<Transfer>(`
  update transfers t set approval = 'approved', approval_by = $2::jsonb, approval_at = time_of(t.merchant_id, t.mode), attempts = 0,
    approver_since = $5, next_at = clock_timestamp()
  where reference = $1 and approval = $3 and step = $4
    and (mode = 'test' or date_trunc('milliseconds', clock_timestamp()) - $5::timestamptz >= interval '24 hours')
  returning ${TRANSFER_COLUMNS}`);

/** The bank is called next. */
export async function markApproved(
  tx: Session,
  { reference }: Transfer,
  { by, since }: { by: Actor; since: string },
): Promise<Transfer | undefined> {
  const [approved] = await approve(tx, [reference, JSON.stringify(by), "required", "reserved", since]);
  return approved;
}

const end = statement<Transfer>(`
  update transfers t set approval = $2, approval_by = $3::jsonb, approval_at = time_of(t.merchant_id, t.mode), attempts = 0,
    step = 'decided', verdict = 'failed', failure_code = $4, failure_reason = $5, held_for = null,
    next_at = clock_timestamp() + $6 * interval '1 millisecond'
  where reference = $1 and approval = $7 and step = $8 returning ${TRANSFER_COLUMNS}`);

/** The money is returned next; the bank is not called. `by` is null when the time is over. */
export async function markNotApproved(
  tx: Session,
  { reference }: Transfer,
  { as, by, leaseMs }: { as: keyof typeof NOT_APPROVED; by: Actor | null; leaseMs: number },
): Promise<Transfer | undefined> {
  const { failureCode, failureReason } = NOT_APPROVED[as];
  const values = [reference, as, by && JSON.stringify(by), failureCode, failureReason, leaseMs, "required", "reserved"];
  const [ended] = await end(tx, values);
  return ended;
}

const waiting = statement<{ count: number }>(`
  select count(*)::integer as count from transfers where merchant_id = $1 and mode = $2 and approval = 'required'`);

export async function countAwaitingApproval(tx: Session, { id, mode }: MerchantScope): Promise<number> {
  const [row] = await waiting(tx, [id, mode]);
  return row?.count ?? 0;
}
