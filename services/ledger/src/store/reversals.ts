import {
  AUDITED_REVERSALS_MAX,
  type AuditedReversal,
  type Fact,
  type MerchantScope,
  type transferReversed,
} from "@collect/contracts";
import { type Pool, statement, type Transaction } from "@collect/database";
import { settled } from "../domain/account.ts";
import { type BookedCredit, coverTransaction, reversalTransaction } from "../domain/reversal.ts";
import { balanceOf } from "./balances.ts";
import { type Posted, postBatch } from "./post-batch.ts";

type Credit = BookedCredit & { merchantId: string; mode: string };

const find = statement<Credit>(`
  select amount, fee, fee_basis_points as "feeBasisPoints", merchant_id as "merchantId", mode from transactions
  where key = any(array[$1::text, $1 || ':allocated']) and kind in ('collection', 'allocation')`);

/** The keys of a credit's reversals follow each other in the index of keys: `int_…:collection_reversal:int_…`. */
const sum = statement<{ reversed: bigint; is_booked: boolean }>(`
  select coalesce(sum(amount) filter (where kind in ('collection_reversal', 'allocation_reversal') and key <> $2), 0)::bigint as reversed,
    coalesce(bool_or(key = $2), false) as is_booked
  from transactions where key > $1 || ':' and key < $1 || ';'`);

/**
 * Books what the bank took back of a collection, once, and what Settled covers of it. Undefined while the collection itself is
 * not booked: after a restore it follows, and the reversal is driven again. Serialized with the merchant's reserves and
 * settlements, so that no payout is promised the money in between.
 */
export async function bookReversal(
  tx: Transaction,
  reversal: Fact<typeof transferReversed>,
  { shard }: { shard: number },
): Promise<Posted | undefined> {
  const { creditId, merchant } = reversal;
  await lockSettled(tx, merchant);
  const [credit] = await find(tx, [creditId]);
  if (!credit) return undefined;
  if (credit.merchantId !== merchant.id || credit.mode !== merchant.mode)
    throw new Error(`${reversal.intakeId} takes back a collection of another merchant or mode`);
  const transaction = reversalTransaction({ reversal, credit, shard });
  const [others] = await sum(tx, [creditId, transaction.key]);
  if (!others || others.reversed + reversal.amount > credit.amount)
    throw new Error(`${reversal.intakeId} takes back more than is left of ${creditId}`);
  const [posted] = await postBatch(tx, [transaction]);
  if (posted && !others.is_booked) await cover(tx, { merchant, key: transaction.key, occurredAt: posted.postedAt });
  return posted;
}

const lock = statement<{ locked: string }>("select pg_advisory_xact_lock(hashtextextended($1, 0))::text as locked");

/**
 * Serializes what debits a merchant's Settled: reserves, reversals and settlements. The balance that the next statement reads can
 * only have grown when the debit is posted. Row locks do not work for this: the first reserve creates payouts, which precedes
 * settled in the lock order, and a row that does not exist yet cannot be locked first.
 */
export const lockSettled = (tx: Transaction, merchant: MerchantScope) => lock(tx, [settled(merchant)]);

/** Pays from Settled what Collected lacks after this transaction, which was posted just now and locks Collected. */
export async function cover(
  tx: Transaction,
  { merchant, key, occurredAt }: { merchant: MerchantScope; key: string; occurredAt: string },
): Promise<void> {
  const balances = await balanceOf(tx, merchant);
  const transaction = coverTransaction({ merchant, key, balances, occurredAt });
  if (transaction) await postBatch(tx, [transaction]);
}

const booked = statement<{ count: number }>(
  "select count(*)::integer as count from transactions where key = any($1::text[])",
);
/** Whether there is a transaction under each of these keys. */
export async function areBooked(pool: Pool, keys: string[]): Promise<boolean> {
  const [row] = await booked(pool, [keys]);
  return row?.count === keys.length;
}

const audited = statement<AuditedReversal>(`
  select split_part(key, ':', 3) as reversal_id, kind, merchant_id, mode, amount from transactions
  where kind in ('collection_reversal', 'allocation_reversal', 'suspense_reversal')
    and split_part(key, ':', 3) collate "C" > $1 and ($2::text is null or split_part(key, ':', 3) collate "C" <= $2)
  order by split_part(key, ':', 3) collate "C", kind limit ${AUDITED_REVERSALS_MAX}`);

/** The transactions of reversals whose ids are after one and up to another, for the audit. */
export const auditedReversals = (pool: Pool, { after, up_to }: { after: string; up_to: string | null }) =>
  audited(pool, [after, up_to]);
