import { statement, type Transaction } from "@collect/database";
import { type Difference, NAMED_MAX } from "../domain/proof.ts";

/**
 * Which entry a kind of transaction has on a kind of ledger account, as multiples of its amount and of its fee, and whether
 * the account is the merchant's. Collected, Settled and what is held for payouts are thereby what these transactions made of
 * them: Settled is settlements, less reserves, and what came back. Written apart from the code that posts, to check it.
 */
const LEGS = `(values
  ('collection', 'bank', 1, 0, false), ('collection', 'collected', -1, 1, true), ('collection', 'fees', 0, -1, false),
  ('allocation', 'suspense', 1, 0, false), ('allocation', 'collected', -1, 1, true), ('allocation', 'fees', 0, -1, false),
  ('suspense', 'bank', 1, 0, false), ('suspense', 'suspense', -1, 0, false),
  ('settlement', 'collected', 1, 0, true), ('settlement', 'settled', -1, 0, true),
  ('reserve', 'settled', 1, 0, true), ('reserve', 'payouts', -1, 0, true),
  ('return', 'payouts', 1, 0, true), ('return', 'settled', -1, 0, true),
  ('payout', 'payouts', 1, 0, true), ('payout', 'bank', -1, 0, false),
  ('reversal', 'bank', 1, 0, false), ('reversal', 'settled', -1, 0, true),
  ('late_payout', 'suspense', 1, 0, false), ('late_payout', 'bank', -1, 0, false),
  ('late_reversal', 'bank', 1, 0, false), ('late_reversal', 'suspense', -1, 0, false)
) as expected (of_kind, account, of_amount, of_fee, is_merchants)`;

/**
 * Of the transactions in `chunk`: those whose entries are not what they say, and those that move money for a transfer or a
 * settlement that is not there. Entries that are each as expected and sum to zero are all there.
 */
export const UNLIKE_ITS_ENTRIES = `
  unlike as (
    select case when legs < 2 or sum <> 0 or not in_mode then 'the entries are not two or more of its mode with the sum zero'
        when not as_declared then 'the entries are not what the transaction says'
        else 'what it was posted for is not there' end as what,
      format('transaction %s', key) as where
    from chunk
    cross join lateral (
      select count(*) as legs, sum(entries.amount) as sum, bool_and(starts_with(account_id, chunk.mode || ':')) as in_mode,
        bool_and(coalesce(
          entries.amount = of_amount * chunk.amount + of_fee * chunk.fee
          and (not is_merchants or split_part(account_id, ':', 3) = chunk.merchant_id), false)) as as_declared
      from entries left join ${LEGS} on of_kind = chunk.kind and account = split_part(account_id, ':', 2)
      where transaction_id = chunk.id
    ) as proof
    cross join lateral (
      select case
        when chunk.kind in ('collection', 'allocation', 'suspense') then true
        when chunk.kind = 'settlement' then exists (
          select from settlements where merchant_id = chunk.merchant_id and mode = chunk.mode and cut_off = chunk.occurred_at)
        else exists (
          select from transfer_reserves where transfer_id = left(chunk.key, -length(':' || chunk.kind)) and reserved)
      end as is_known
    ) as cause
    where legs < 2 or sum <> 0 or not in_mode or not as_declared or not is_known
    limit ${NAMED_MAX}
  )`;

/** Younger transactions wait: one with a lower id may still be on its way to being committed. */
const SETTLING = "interval '3 seconds'";

export type Recent = { proven: number; recent_id: bigint; recent_to: string | null; differences: Difference[] };

const recent = statement<Recent>(`
  with chunk as materialized (
    select * from (select * from transactions where id > $1::bigint order by id limit $2::bigint) as next
    where posted_at < now() - ${SETTLING}
  ),
  ${UNLIKE_ITS_ENTRIES},
  broken as (
    select 'the chain of versions and balances is broken' as what,
      format('entry %s version %s', e.account_id, e.account_version) as where
    from chunk join entries as e on e.transaction_id = chunk.id
    left join entries as before on before.account_id = e.account_id and before.account_version = e.account_version - 1
    where e.balance_after is distinct from coalesce(before.balance_after, case when e.account_version = 1 then 0 end) + e.amount
    limit ${NAMED_MAX}
  )
  select (select count(*)::integer from chunk) as proven,
    coalesce((select max(id) from chunk), $1::bigint) as recent_id,
    (select max(posted_at) from chunk) as recent_to,
    coalesce((select jsonb_agg(found) from (select * from unlike union all select * from broken) as found), '[]') as differences`);

const last = statement<{ id: bigint }>("select coalesce(max(id), 0) as id from transactions");

/**
 * What was posted since the one that was proven last, in the order of posting: its entries are what it says, and continue
 * their chains. Null begins with what is posted from now on; the rounds come by the rest.
 */
export async function proveRecent(tx: Transaction, after: bigint | null, chunkMax: number): Promise<Recent> {
  const from = after ?? (await last(tx))[0]?.id;
  const [row] = await recent(tx, [from, chunkMax]);
  if (!row) throw new Error("an aggregate without a row");
  return row;
}
