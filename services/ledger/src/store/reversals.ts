import {
  AUDITED_REVERSALS_MAX,
  type AuditedReversal,
  type Fact,
  type MerchantScope,
  type transferReversed,
  type unallocatedReversed,
} from "@collect/contracts";
import { columns, type Pool, statement, type Transaction } from "@collect/database";
import { collected, settled } from "../domain/account.ts";
import {
  type BookedCredit,
  coverTransaction,
  kindOfReversal,
  reversalTransaction,
  suspenseReversalTransaction,
} from "../domain/reversal.ts";
import { balanceOf } from "./balances.ts";
import { type Posted, postBatch } from "./post-batch.ts";

type Credit = BookedCredit & { merchantId: string | null; mode: string };

/** It contradicts what is booked, whatever is repeated. */
export class ReversalRefused extends Error {}

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
  const checked = await checkReversal(tx, reversal);
  if (!checked) return undefined;
  const transaction = reversalTransaction({ reversal, credit: checked.credit, shard });
  const [posted] = await postBatch(tx, [transaction]);
  const { merchant } = reversal;
  if (posted && !checked.isBooked) await cover(tx, { merchant, key: transaction.key, occurredAt: posted.postedAt });
  return posted;
}

/** Throws `ReversalRefused` where it contradicts the books. Undefined while its collection is not booked. */
export async function checkReversal(tx: Transaction, reversal: Fact<typeof transferReversed>) {
  const { creditId, merchant } = reversal;
  await lockSettled(tx, merchant);
  await lockCredit(tx, creditId);
  const [credit] = await findCredited(tx, [creditId]);
  if (!credit) return undefined;
  if (credit.merchantId !== merchant.id || credit.mode !== merchant.mode)
    throw new ReversalRefused(`${reversal.intakeId} takes back a collection of another merchant or mode`);
  return { credit, isBooked: await isBookedAs(tx, kindOfReversal(reversal), { reversal, credit }) };
}

/** The same of money in suspense. The rest may be allocated already: accounts publishes the two on different subjects, in no order. */
export async function bookSuspenseReversal(
  tx: Transaction,
  reversal: Fact<typeof unallocatedReversed>,
  { shard }: { shard: number },
): Promise<Posted | undefined> {
  if (!(await checkSuspenseReversal(tx, reversal))) return undefined;
  const [posted] = await postBatch(tx, [suspenseReversalTransaction({ reversal, shard })]);
  return posted;
}

/** The same of money in suspense. */
export async function checkSuspenseReversal(tx: Transaction, reversal: Fact<typeof unallocatedReversed>) {
  await lockCredit(tx, reversal.creditId);
  const [credit] = await findSuspended(tx, [reversal.creditId]);
  if (!credit) return undefined;
  if (credit.mode !== reversal.mode) throw new ReversalRefused(`${reversal.intakeId} takes back money of another mode`);
  return { credit, isBooked: await isBookedAs(tx, "suspense_reversal", { reversal, credit }) };
}

const CREDIT = `select amount, fee, fee_basis_points as "feeBasisPoints", merchant_id as "merchantId", mode from transactions`;
const findCredited = statement<Credit>(
  `${CREDIT} where key = any(array[$1::text, $1 || ':allocated']) and kind in ('collection', 'allocation')`,
);
const findSuspended = statement<Credit>(`${CREDIT} where key = $1 and kind = 'suspense'`);

/** The keys of a credit's reversals follow each other in the index of keys: `int_…:collection_reversal:int_…`. */
const sum = statement<{ others: bigint; is_booked: boolean; is_booked_otherwise: boolean }>(`
  select coalesce(greatest(
      sum(amount) filter (where not is_same and kind in ('collection_reversal', 'suspense_reversal')),
      sum(amount) filter (where not is_same and kind in ('collection_reversal', 'allocation_reversal'))
    ), 0)::bigint as others,
    coalesce(bool_or(is_same and kind = $3), false) as is_booked,
    coalesce(bool_or(is_same and (kind = 'collection_reversal') <> ($3 = 'collection_reversal')), false) as is_booked_otherwise
  from (
    select kind, amount, split_part(key, ':', 3) = $2 as is_same from transactions where key > $1 || ':' and key < $1 || ';'
  ) as of_credit`);

type Taken = { reversal: { intakeId: string; creditId: string; amount: bigint }; credit: Credit };

/**
 * Whether it is booked. Neither the bank nor the merchant ever loses more than the credit; and the bank is paid once, from a collection
 * or from suspense, even if accounts has forgotten which: it was restored to a time before.
 */
async function isBookedAs(tx: Transaction, kind: string, { reversal, credit }: Taken): Promise<boolean> {
  const { intakeId, creditId, amount } = reversal;
  const [booked] = await sum(tx, [creditId, intakeId, kind]);
  if (!booked) throw new Error("an aggregate returned no row");
  if (booked.is_booked_otherwise)
    throw new ReversalRefused(
      `${intakeId} is booked as taken ${kind === "collection_reversal" ? "out of suspense" : "from a collection"}`,
    );
  if (booked.others + amount > credit.amount)
    throw new ReversalRefused(`${intakeId} takes back more than is left of ${creditId}`);
  return booked.is_booked;
}

const ofSuspense = statement<{ intake_id: string }>(`
  select split_part(key, ':', 3) as intake_id from transactions
  where key > $1 || ':suspense_reversal:' and key < $1 || ':suspense_reversal;' order by key limit $2`);
/** What was taken out of suspense of a credit. */
export async function suspenseReversalsOf(pool: Pool, creditId: string, limit: number): Promise<string[]> {
  return (await ofSuspense(pool, [creditId, limit])).map(({ intake_id }) => intake_id);
}

const lock = statement<{ locked: string }>("select pg_advisory_xact_lock(hashtextextended($1, 0))::text as locked");

/**
 * Serializes what debits a merchant's Settled: reserves, reversals and settlements. The balance that the next statement reads can
 * only have grown when the debit is posted. Row locks do not work for this: the first reserve creates payouts, which precedes
 * settled in the lock order, and a row that does not exist yet cannot be locked first.
 */
export const lockSettled = (tx: Transaction, merchant: MerchantScope) => lock(tx, [settled(merchant)]);

/** Serializes the reversals of a credit, those out of suspense among them; after `lockSettled`. */
const lockCredit = (tx: Transaction, creditId: string) => lock(tx, [creditId]);

/** Pays from Settled what Collected lacks after this transaction, which was posted just now and locks Collected. */
export async function cover(
  tx: Transaction,
  { merchant, key, occurredAt }: { merchant: MerchantScope; key: string; occurredAt: string },
): Promise<void> {
  const balances = await balanceOf(tx, merchant);
  const transaction = coverTransaction({ merchant, key, balances, occurredAt });
  if (transaction) await postBatch(tx, [transaction]);
}

const lockAccount = statement("select from ledger_accounts where id = $1 for update");

/**
 * The same after a transaction that returned money to Settled; after `lockSettled`. Collected is locked last: what holds it waits neither
 * for payouts nor, without that lock, for Settled, and has the bank's account already.
 */
export async function coverReturn(tx: Transaction, returned: Parameters<typeof cover>[1]): Promise<void> {
  await lockAccount(tx, [collected(returned.merchant)]);
  await cover(tx, returned);
}

const undecided = statement<{ intake_id: string }>(`
  select distinct r.intake_id from unnest($1::text[], $2::text[]) as r (intake_id, key)
  where not exists (select from transactions t where t.key = r.key)
    and not exists (select from dead_letters d where d.natural_key = r.intake_id and d.last_at >= $3::timestamptz)`);
/** The reversals of which a transaction is not booked, and that were not refused since then either, as dead letters. */
export async function undecidedReversals(
  pool: Pool,
  bookings: { intakeId: string; key: string }[],
  { since }: { since: string },
): Promise<string[]> {
  const rows = await undecided(pool, [...columns(bookings, "intakeId", "key"), since]);
  return rows.map(({ intake_id }) => intake_id);
}

const audited = statement<AuditedReversal>(`
  select split_part(key, ':', 3) as reversal_id, kind, merchant_id, mode, amount from transactions
  where kind in ('collection_reversal', 'allocation_reversal', 'suspense_reversal')
    and split_part(key, ':', 3) collate "C" > $1 and ($2::text is null or split_part(key, ':', 3) collate "C" <= $2)
  order by split_part(key, ':', 3) collate "C", kind limit ${AUDITED_REVERSALS_MAX}`);

/** The transactions of reversals whose ids are after one and up to another, for the audit. */
export const auditedReversals = (pool: Pool, { after, up_to }: { after: string; up_to: string | null }) =>
  audited(pool, [after, up_to]);
