import type { Actor, Mode } from "@collect/contracts";
import { type Pool, type Session, statement, type Transaction } from "@collect/database";
import type { Batch } from "../domain/transfer-batch.ts";
import { BATCH_COLUMNS } from "./transfer-batches.ts";

/** Moves files of transfers. Each statement names the states that it moves them from, and returns nothing from others. */

/** What was due so long ago was left by a restore, a rollback or a long outage: it does not go on by itself. */
const STALE = "state = 'sending' and next_at < clock_timestamp() - interval '1 hour'";

const claim = statement<Batch>(`
  update transfer_batches b set next_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = any(array(
    select reference from transfer_batches where mode = $1 and next_at <= clock_timestamp() and not (${STALE})
    order by state <> 'sending', next_at limit $2 for update skip locked))
  returning ${BATCH_COLUMNS}`);
export const claimDueBatches = (
  tx: Session,
  { mode, limit, leaseMs }: { mode: Mode; limit: number; leaseMs: number },
) => claim(tx, [mode, limit, leaseMs]);

const stale = statement<Batch>(`
  select ${BATCH_COLUMNS} from transfer_batches b where mode = $1 and ${STALE} order by next_at limit $2`);
export const findStale = (session: Session, mode: Mode, max: number) => stale(session, [mode, max]);

const lockStale = statement(`select from transfer_batches where reference = $1 and ${STALE} for update`);
/** False if another process has ended it. */
export const lockStaleBatch = async (tx: Transaction, reference: string): Promise<boolean> =>
  (await lockStale(tx, [reference])).length > 0;

const halt = statement(`
  update transfer_batches set next_at = to_timestamp(0) where state in ('sending', 'awaiting_approval')`);
/** After a restore: what was being sent is stale, and what waits for an approval has lapsed. */
export const haltBatches = async (pool: Pool): Promise<void> => void (await halt(pool, []));

const later = statement(`
  update transfer_batches set attempts = case when $3 = 0 then 0 else attempts + 1 end,
    next_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = $1 and state = $2 and confirmed_at is not distinct from $4`);
/** It is due again after so many milliseconds; at 0 it has made progress. */
export const postponeBatch = async (tx: Session, { reference, state, confirmedAt }: Batch, waitMs: number) =>
  void (await later(tx, [reference, state, waitMs, confirmedAt]));

const checked = statement(
  "update transfer_batches set state = 'checked', attempts = 0, next_at = null where reference = $1 and state = 'checking'",
);
export const markChecked = async (tx: Session, reference: string) => void (await checked(tx, [reference]));

/** Only without a fault in any line; `approvalMs` is how long it waits for the second person. */
const confirm = statement<{ reference: string }>(`
  update transfer_batches set state = case when $4 then 'awaiting_approval' else 'sending' end, confirmed_at = clock_timestamp(),
    confirmed_by = $2::jsonb, confirmed_on = (time_of(merchant_id, mode) at time zone 'Africa/Lagos')::date,
    needs_approval = $4, attempts = 0, next_at = clock_timestamp() + case when $4 then $3 else 0 end * interval '1 millisecond'
  where reference = $1 and state = 'checked'
    and not exists (select from transfer_batch_lines where batch = $1 and (faults <> '[]' or not checked or amount is null))
  returning reference`);

export async function markConfirmed(
  tx: Transaction,
  given: { reference: string; by: Actor; needsApproval: boolean; approvalMs: number },
): Promise<boolean> {
  const { reference, by, needsApproval, approvalMs } = given;
  return (await confirm(tx, [reference, JSON.stringify(by), approvalMs, needsApproval])).length > 0;
}

const approve = statement<{ reference: string }>(`
  update transfer_batches set state = 'sending', approved_at = clock_timestamp(), approved_by = $2::jsonb, approver_since = $3,
    attempts = 0, next_at = clock_timestamp()
  where reference = $1 and state = 'awaiting_approval' and confirmed_at = $4
    and (mode = 'test' or date_trunc('milliseconds', clock_timestamp()) - $3::timestamptz >= interval '24 hours')
  returning reference`);

/** Of this confirmation, and no later one. */
export async function markBatchApproved(
  tx: Transaction,
  { reference, confirmedAt }: Pick<Batch, "reference" | "confirmedAt">,
  { by, since }: { by: Actor; since: string },
): Promise<boolean> {
  return (await approve(tx, [reference, JSON.stringify(by), since, confirmedAt])).length > 0;
}

const UNCONFIRMED = `state = 'checked', confirmed_at = null, confirmed_by = null, needs_approval = null, approved_at = null,
  approved_by = null, approver_since = null, attempts = 0, next_at = null`;

const lapse = statement(`
  update transfer_batches set ${UNCONFIRMED} where reference = $1 and state = 'awaiting_approval' and confirmed_at = $2`);
/** Was not approved in time, or not as it was confirmed: it has to be confirmed again. */
export const markLapsed = async (tx: Session, { reference, confirmedAt }: Pick<Batch, "reference" | "confirmedAt">) =>
  void (await lapse(tx, [reference, confirmedAt]));

const sent = statement(`
  update transfer_batches set state = 'sent', attempts = 0, next_at = null where reference = $1 and state = 'sending'
    and not exists (select from transfer_batch_lines where batch = $1 and outcome is null)`);
export const markSent = async (tx: Session, reference: string) => void (await sent(tx, [reference]));

const reopen = statement<{ reference: string }>(`
  update transfer_batches set ${UNCONFIRMED}
  where reference = $1 and state = 'sent' and confirmed_at > clock_timestamp() - $2 * interval '1 millisecond'
  returning reference`);
/** False if it was confirmed longer ago than an approval may take. */
export const markReopened = async (tx: Transaction, reference: string, approvalMs: number): Promise<boolean> =>
  (await reopen(tx, [reference, approvalMs])).length > 0;
