import { type OutboundOrder, Problem } from "@collect/contracts";
import { statement, type Transaction } from "@collect/database";
import { collected, settled } from "../domain/account.ts";
import { needsApproval, type PayoutLimits, type Refusal, refusalOf } from "../domain/payout-limits.ts";
import {
  type BookingContext,
  type Completion,
  completion,
  type End,
  endOf,
  type Outbound,
  type Outcome,
  transferTransaction,
} from "../domain/transfer.ts";
import { addToDay, readBounds, TODAY, takeFromDay } from "./payout-limits.ts";
import { postBatch } from "./post-batch.ts";
import { coverReturn, lockSettled } from "./reversals.ts";

/** `settled` is the balance that decided; it is not recorded, so a repeat lacks it. */
export type ReserveDecision = {
  reserved: boolean;
  refusal: Refusal | null;
  approval_required: boolean;
  settled?: bigint;
};

/**
 * Reserves a transfer's amount, or records why not: the Settled balance is too low, or the amount above a limit of the
 * merchant. A repeat gets the first decision; a repeat with another amount, merchant or mode is a conflict.
 */
export async function reserve(
  tx: Transaction,
  transfer: Outbound,
  { order, standardLimits, ...context }: BookingContext & { standardLimits: PayoutLimits; order?: OutboundOrder },
): Promise<ReserveDecision> {
  const { transferId, merchant, amount } = transfer;
  await lockSettled(tx, merchant);
  const { limits, orderedToday } = await readBounds(tx, { merchant, standard: standardLimits });
  const [decided] = await decide(tx, [
    ...[transferId, merchant.id, merchant.mode, amount, settled(merchant)],
    order ? JSON.stringify(order) : null,
    refusalOf(amount, { limits, orderedToday }) ?? null,
    needsApproval(amount, limits),
    collected(merchant),
  ]);
  if (!decided) return decisionOn(tx, transfer);
  if (decided.reserved) {
    // The day's sum is locked before the ledger accounts, here and in `bookEnd`.
    await addToDay(tx, merchant, amount);
    await postBatch(tx, [transferTransaction("reserve", { transfer, ...context })]);
  }
  return decided;
}

/**
 * Reserves the amount of a transfer that was reserved before a restore. Unlike a first reserve it records no refusal when
 * the Settled balance is too low: it returns false and can be retried.
 */
export async function restoreReserve(
  tx: Transaction,
  transfer: Outbound,
  { order, ...context }: BookingContext & { order: OutboundOrder },
): Promise<boolean> {
  const { transferId, merchant, amount } = transfer;
  await lockSettled(tx, merchant);
  const values = [transferId, merchant.id, merchant.mode, amount, settled(merchant), JSON.stringify(order)];
  const [decided] = await insertRestored(tx, values);
  if (decided) {
    await postBatch(tx, [transferTransaction("reserve", { transfer, ...context })]);
    return true;
  }
  const [recorded] = await readDecision(tx, [transferId]);
  if (!recorded) return false;
  const { reserved } = await decisionOn(tx, transfer);
  if (!reserved)
    throw new Problem("conflict", "The ledger refused this transfer, but payments has recorded it as reserved.");
  return true;
}

/**
 * Books the outcome of a reserved transfer, by `completion`. What returns to Settled covers first what the merchant owes. A transfer that
 * was never reserved is a conflict. `counted_at` is when the outcome counts on a day of the bank's statement.
 */
export async function bookEnd(
  tx: Transaction,
  transfer: Outbound,
  outcome: Outcome,
  context: BookingContext,
): Promise<{ booked: Completion["booked"]; first_end: End; counted_at?: string }> {
  const { reserved } = await decisionOn(tx, transfer);
  if (!reserved) throw new Problem("conflict", "Nothing was reserved for this transfer.");
  if (outcome !== "success") await lockSettled(tx, transfer.merchant);
  // The claim also serializes concurrent outcomes: the second waits here until the first is booked.
  const [claimed] = await claimEnd(tx, [transfer.transferId, endOf(outcome)]);
  if (claimed?.first_end === "failed") await takeFromDay(tx, transfer.transferId);
  const [end] = await readEnd(tx, [transfer.transferId]);
  if (!end) throw new Error(`the end of ${transfer.transferId} was neither claimed nor found`);
  const { bookings, booked } = completion(end.first_end, outcome);
  const transactions = bookings.map((booking) => transferTransaction(booking, { transfer, ...context }));
  const returned = transactions.find(({ kind }) => kind === "return" || kind === "reversal");
  const posted = transactions.length > 0 ? await postBatch(tx, transactions) : [];
  // A repeat finds nothing to cover: Settled is empty while Collected lacks something.
  if (returned) await coverReturn(tx, { merchant: transfer.merchant, ...returned });
  const countedAt = posted.at(-1)?.countedAt;
  return { booked, first_end: end.first_end, ...(countedAt && { counted_at: countedAt }) };
}

type Decision = ReserveDecision & { merchant_id: string; mode: string; amount: bigint };
const DECISION = "merchant_id, mode, amount, reserved, refusal, approval_required";

// Without a settled account the balance is zero. What the merchant owes, which is Collected below zero, is not paid out.
const decide = statement<Decision>(`
  with funds as materialized (
    select settled, settled >= $4::bigint as covered
    from (
      select (coalesce((select -balance from ledger_accounts where id = $5), 0)
        - greatest(coalesce((select balance from ledger_accounts where id = $9), 0), 0))::bigint as settled
    ) as account
  ), decided as (
    insert into transfer_reserves (transfer_id, merchant_id, mode, amount, reserved, memo, refusal, approval_required, counted_on)
    select $1, $2, $3, $4::bigint, covered and $7::text is null, $6::jsonb,
      coalesce($7, case when not covered then 'balance' end), $8, case when covered and $7::text is null then ${TODAY} end
    from funds
    on conflict (transfer_id) do nothing
    returning ${DECISION}
  )
  select decided.*, settled from decided, funds`);

const insertRestored = statement<Decision>(`
  insert into transfer_reserves (transfer_id, merchant_id, mode, amount, reserved, memo)
  select $1, $2, $3, $4::bigint, true, $6::jsonb
  where coalesce((select -balance from ledger_accounts where id = $5), 0) >= $4::bigint
  on conflict (transfer_id) do nothing
  returning ${DECISION}`);

const readDecision = statement<Decision>(`select ${DECISION} from transfer_reserves where transfer_id = $1`);

async function decisionOn(tx: Transaction, { transferId, merchant, amount }: Outbound): Promise<Decision> {
  const [decision] = await readDecision(tx, [transferId]);
  if (!decision) throw new Problem("conflict", "Nothing was reserved for this transfer.");
  if (decision.merchant_id !== merchant.id || decision.mode !== merchant.mode || decision.amount !== amount)
    throw new Problem("conflict", "This transfer was already received with a different amount, merchant or mode.");
  return decision;
}

const claimEnd = statement<{ first_end: End }>(`
  insert into transfer_ends (transfer_id, first_end) values ($1, $2) on conflict (transfer_id) do nothing
  returning first_end`);
const readEnd = statement<{ first_end: End }>("select first_end from transfer_ends where transfer_id = $1");
