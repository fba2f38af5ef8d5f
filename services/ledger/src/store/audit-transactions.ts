import { statement, type Transaction } from "@collect/database";
import { DIFFERENCES_MAX, type Difference } from "../domain/proof.ts";

/**
 * The entry that each kind of transaction has on each kind of ledger account, as multiples of its amount, of its fee and of what
 * the bank kept, and whether the account is the merchant's. This proves that the balances of Collected, Settled and payouts come from these
 * transactions alone: Settled is settlements less reserves and covers, plus returns and reversals. Written independently of the code
 * that posts, to check it.
 */
const LEGS = `(values
  ('collection', 'bank', 1, 0, -1, false), ('collection', 'bank_charges', 0, 0, 1, false),
  ('collection', 'collected', -1, 1, 0, true), ('collection', 'fees', 0, -1, 0, false),
  ('allocation', 'suspense', 1, 0, 0, false), ('allocation', 'collected', -1, 1, 0, true), ('allocation', 'fees', 0, -1, 0, false),
  ('suspense', 'bank', 1, 0, -1, false), ('suspense', 'bank_charges', 0, 0, 1, false), ('suspense', 'suspense', -1, 0, 0, false),
  ('settlement', 'collected', 1, 0, 0, true), ('settlement', 'settled', -1, 0, 0, true),
  ('reserve', 'settled', 1, 0, 0, true), ('reserve', 'payouts', -1, 0, 0, true),
  ('return', 'payouts', 1, 0, 0, true), ('return', 'settled', -1, 0, 0, true),
  ('payout', 'payouts', 1, 0, 0, true), ('payout', 'bank', -1, 0, 0, false),
  ('reversal', 'bank', 1, 0, 0, false), ('reversal', 'settled', -1, 0, 0, true),
  ('late_payout', 'suspense', 1, 0, 0, false), ('late_payout', 'bank', -1, 0, 0, false),
  ('late_reversal', 'bank', 1, 0, 0, false), ('late_reversal', 'suspense', -1, 0, 0, false),
  ('collection_reversal', 'bank', -1, 0, 1, false), ('collection_reversal', 'bank_charges', 0, 0, -1, false),
  ('collection_reversal', 'collected', 1, -1, 0, true), ('collection_reversal', 'fees', 0, 1, 0, false),
  ('allocation_reversal', 'suspense', -1, 0, 0, false), ('allocation_reversal', 'collected', 1, -1, 0, true),
  ('allocation_reversal', 'fees', 0, 1, 0, false),
  ('suspense_reversal', 'bank', -1, 0, 1, false), ('suspense_reversal', 'bank_charges', 0, 0, -1, false),
  ('suspense_reversal', 'suspense', 1, 0, 0, false),
  ('cover', 'settled', 1, 0, 0, true), ('cover', 'collected', -1, 0, 0, true),
  ('bank_charge', 'bank', -1, 0, 0, false), ('bank_charge', 'bank_charges', 1, 0, 0, false),
  ('bank_charge_refund', 'bank', 1, 0, 0, false), ('bank_charge_refund', 'bank_charges', -1, 0, 0, false),
  ('own_funds_in', 'bank', 1, 0, 0, false), ('own_funds_in', 'own_funds', -1, 0, 0, false),
  ('own_funds_out', 'bank', -1, 0, 0, false), ('own_funds_out', 'own_funds', 1, 0, 0, false)
) as expected (of_kind, account, of_amount, of_fee, of_charge, is_merchants)`;

/** Whether a transaction is the change from the total of its day in the version before; null without a version of its own. */
const leadsTo = (totals: string, more: string) => `(
  select after.total - coalesce((
      select total from ${totals} as before
      where (before.day, before.account, before.version) = (after.day, after.account, after.version - 1)
    ), case after.version when 1 then 0 end) = case kind when '${more}' then amount else -amount end
  from ${totals} as after where transaction_id = chunk.id)`;

/**
 * For the transactions in `chunk`: their entries, `moved`; those whose entries do not match them, and those that move money
 * for a missing transfer or settlement. Entries that each match and sum to zero are complete.
 * `offset 0` and scalar subqueries force an index scan whatever the planner's estimates.
 */
export const UNLIKE_ITS_ENTRIES = `
  moved as materialized (
    select chunk.id, entry.*, split_part(account_id, ':', 2) as account
    from chunk cross join lateral (
      select account_id, account_version, amount, balance_after from entries where transaction_id = chunk.id offset 0
    ) as entry
  ),
  proof as (
    select chunk.id, count(*) as legs, sum(moved.amount) as sum, bool_and(starts_with(account_id, mode || ':')) as in_mode,
      bool_and(coalesce(
        moved.amount = of_amount * chunk.amount + of_fee * fee + of_charge * bank_charge
        and (not is_merchants or split_part(account_id, ':', 3) = merchant_id), false)) as as_declared
    from moved join chunk using (id) left join ${LEGS} on of_kind = kind and expected.account = moved.account
    group by chunk.id
  ),
  unlike as (
    select case when legs is null or legs < 2 or sum <> 0 or not in_mode then 'the entries are fewer than two, cross modes or do not sum to zero'
        when not as_declared then 'the entries do not match the transaction'
        when kind in ('collection_reversal', 'allocation_reversal', 'suspense_reversal') then 'more than the credit was taken back'
        when kind in ('bank_charge', 'bank_charge_refund') then 'it does not lead to the charges of its day'
        when kind in ('own_funds_in', 'own_funds_out') then 'it does not lead to the own funds of its day'
        else 'the transfer or settlement it was posted for is missing' end as what,
      format('transaction %s', key) as where
    from chunk left join proof using (id)
    where legs is null or legs < 2 or sum <> 0 or not in_mode or not as_declared or case
      when kind in ('collection', 'allocation', 'suspense', 'cover') then false
      when kind in ('collection_reversal', 'allocation_reversal', 'suspense_reversal') then (
        -- The index of keys has a credit and its reversals one after the other.
        select greatest(
            sum(of_credit.amount) filter (where of_credit.kind in ('collection_reversal', 'suspense_reversal')),
            sum(of_credit.amount) filter (where of_credit.kind in ('collection_reversal', 'allocation_reversal'))
          ) > coalesce(max(of_credit.amount) filter (where of_credit.kind in ('collection', 'allocation', 'suspense')), 0)
        from transactions as of_credit
        where of_credit.key >= split_part(chunk.key, ':', 1) and of_credit.key < split_part(chunk.key, ':', 1) || ';')
      when kind in ('bank_charge', 'bank_charge_refund') then ${leadsTo("day_charges", "bank_charge")} is not true
      when kind in ('own_funds_in', 'own_funds_out') then ${leadsTo("day_own_funds", "own_funds_in")} is not true
      when kind = 'settlement' then (
        select true from settlements as s
        where s.merchant_id = chunk.merchant_id and s.mode = chunk.mode and cut_off = occurred_at) is null
      else (select reserved from transfer_reserves where transfer_id = left(key, -length(':' || kind))) is not true
    end
    limit ${DIFFERENCES_MAX}
  )`;

/** Newer transactions are skipped: one with a lower id may not have committed yet. */
const SETTLING = "interval '3 seconds'";

export type Recent = { proven: number; recent_id: bigint; recent_to: string | null; differences: Difference[] };

const recent = statement<Recent>(`
  with chunk as materialized (
    select * from (select * from transactions where id > $1::bigint order by id limit $2::bigint) as next
    where posted_at < now() - ${SETTLING}
  ),
  ${UNLIKE_ITS_ENTRIES},
  link as (
    select *, lag(account_version) over versions as version_before, lag(balance_after) over versions as balance_before
    from moved window versions as (partition by account_id order by account_version)
  ),
  broken as (
    select 'the chain of versions and balances is broken' as what,
      format('entry %s version %s', account_id, account_version) as where
    from link
    where balance_after is distinct from amount + case account_version - 1
      when 0 then 0
      when version_before then balance_before
      else (
        select balance_after from entries as before
        where before.account_id = link.account_id and before.account_version = link.account_version - 1)
    end
    limit ${DIFFERENCES_MAX}
  )
  select (select count(*)::integer from chunk) as proven,
    coalesce((select max(id) from chunk), $1::bigint) as recent_id,
    (select max(posted_at) from chunk) as recent_to,
    coalesce((select jsonb_agg(found) from (select * from unlike union all select * from broken) as found), '[]') as differences`);

const last = statement<{ id: bigint }>("select coalesce(max(id), 0) as id from transactions");

/**
 * Proves the transactions posted since the last proven one, in id order: their entries match them and continue their chains.
 * Null starts with the transactions posted from now on; the rounds cover the earlier ones.
 */
export async function proveRecent(tx: Transaction, after: bigint | null, chunkMax: number): Promise<Recent> {
  const from = after ?? (await last(tx))[0]?.id;
  const [row] = await recent(tx, [from, chunkMax]);
  if (!row) throw new Error("an aggregate returned no row");
  return row;
}
