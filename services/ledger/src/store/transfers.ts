import { type OutboundOrder, Problem } from "@collect/contracts";
import { statement, type Transaction } from "@collect/database";
import { settled } from "../domain/account.ts";
import {
  type Completion,
  completion,
  type End,
  endOf,
  type Outbound,
  type Outcome,
  transferTransaction,
} from "../domain/transfer.ts";
import { postBatch } from "./post-batch.ts";

/** Where and when it is booked: the replica's shard, and when we were told. */
export type Told = { shard: number; toldAt: string };

/**
 * Holds a transfer's amount, or records that Settled held too little. What was decided first is answered ever after;
 * a repeat with another amount, merchant or mode is a conflict.
 */
export async function reserve(
  tx: Transaction,
  transfer: Outbound,
  told: Told,
  order?: OutboundOrder,
): Promise<boolean> {
  const { transferId, merchant, amount } = transfer;
  await takeTurn(tx, [settled(merchant)]);
  const memo = order ? JSON.stringify(order) : null;
  const [decided] = await decide(tx, [transferId, merchant.id, merchant.mode, amount, settled(merchant), memo]);
  if (!decided) return (await decisionOn(tx, transfer)).reserved;
  if (decided.reserved) await postBatch(tx, [transferTransaction("reserve", { transfer, ...told })]);
  return decided.reserved;
}

/**
 * Holds the amount of a transfer that was held before a restore. Unlike a first reserve it decides nothing when Settled holds
 * too little: false then, and it can be asked again.
 */
export async function holdAgain(
  tx: Transaction,
  transfer: Outbound,
  { order, ...told }: Told & { order: OutboundOrder },
): Promise<boolean> {
  const { transferId, merchant, amount } = transfer;
  await takeTurn(tx, [settled(merchant)]);
  const values = [transferId, merchant.id, merchant.mode, amount, settled(merchant), JSON.stringify(order)];
  const [decided] = await decideAgain(tx, values);
  if (decided) {
    await postBatch(tx, [transferTransaction("reserve", { transfer, ...told })]);
    return true;
  }
  const [standing] = await readDecision(tx, [transferId]);
  if (!standing) return false;
  const { reserved } = await decisionOn(tx, transfer);
  if (!reserved)
    throw new Problem("conflict", "The ledger refused this transfer, but payments has recorded it as reserved.");
  return true;
}

/** Books how a reserved transfer ended, as `completion` says. A transfer that was never reserved is a conflict. */
export async function bookEnd(
  tx: Transaction,
  transfer: Outbound,
  outcome: Outcome,
  told: Told,
): Promise<Completion["booked"]> {
  const { reserved } = await decisionOn(tx, transfer);
  if (!reserved) throw new Problem("conflict", "Nothing was reserved for this transfer.");
  // The claim also puts outcomes that are told at once in a row: the second waits here until the first is booked.
  await claimEnd(tx, [transfer.transferId, endOf(outcome)]);
  const [end] = await readEnd(tx, [transfer.transferId]);
  if (!end) throw new Error(`the end of ${transfer.transferId} was neither claimed nor found`);
  const { bookings, booked } = completion(end.first_end, outcome);
  if (bookings.length > 0)
    await postBatch(
      tx,
      bookings.map((booking) => transferTransaction(booking, { transfer, ...told })),
    );
  return booked;
}

/**
 * Reserves of one merchant take turns. They alone take from Settled, so what the next statement reads there can only have
 * grown when it is posted. The rows themselves cannot be locked for this: the first reserve creates payouts, which stands
 * before settled in the order of locks, and what is not there cannot be locked in its turn.
 */
const takeTurn = statement<{ taken: string }>("select pg_advisory_xact_lock(hashtextextended($1, 0))::text as taken");

type Decision = { merchant_id: string; mode: string; amount: bigint; reserved: boolean };

// A merchant without a settled account holds nothing.
const decide = statement<Decision>(`
  insert into transfer_reserves (transfer_id, merchant_id, mode, amount, reserved, memo)
  select $1, $2, $3, $4::bigint, coalesce((select -balance from ledger_accounts where id = $5), 0) >= $4::bigint, $6::jsonb
  on conflict (transfer_id) do nothing
  returning merchant_id, mode, amount, reserved`);

const decideAgain = statement<Decision>(`
  insert into transfer_reserves (transfer_id, merchant_id, mode, amount, reserved, memo)
  select $1, $2, $3, $4::bigint, true, $6::jsonb
  where coalesce((select -balance from ledger_accounts where id = $5), 0) >= $4::bigint
  on conflict (transfer_id) do nothing
  returning merchant_id, mode, amount, reserved`);

const readDecision = statement<Decision>(
  "select merchant_id, mode, amount, reserved from transfer_reserves where transfer_id = $1",
);

async function decisionOn(tx: Transaction, { transferId, merchant, amount }: Outbound): Promise<Decision> {
  const [decision] = await readDecision(tx, [transferId]);
  if (!decision) throw new Problem("conflict", "Nothing was reserved for this transfer.");
  if (decision.merchant_id !== merchant.id || decision.mode !== merchant.mode || decision.amount !== amount)
    throw new Problem("conflict", "This transfer was already received with a different amount, merchant or mode.");
  return decision;
}

const claimEnd = statement(
  "insert into transfer_ends (transfer_id, first_end) values ($1, $2) on conflict (transfer_id) do nothing",
);
const readEnd = statement<{ first_end: End }>("select first_end from transfer_ends where transfer_id = $1");
