import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { collected, payouts, settled } from "../domain/account.ts";

/** One entry of a transaction, with the columns of the transaction. */
type Row = {
  transaction_id: string;
  kind: string;
  amount: bigint;
  fee: bigint;
  fee_basis_points: number;
  occurred_at: string;
  posted_at: string;
  account: string;
  entry_amount: bigint;
  balance_after: bigint | null;
  version: bigint | null;
};

// An allocation has a key of its own; the suspense transaction that it follows belongs to no merchant. A settlement is also
// found by its reference. Only balances of the merchant's own ledger accounts are returned.
const read = statement<Row>(`
  with found as materialized (
    select id from transactions
    where key = any(array[$1::text, $1::text || ':allocated']) and merchant_id = $2 and mode = $3
    union all
    select transaction_id from settlements where reference = $1::text and merchant_id = $2 and mode = $3
    limit 1
  )
  select t.id::text as transaction_id, t.kind, t.amount, t.fee, t.fee_basis_points, t.occurred_at, t.posted_at,
    split_part(e.account_id, ':', 2) as account, e.amount as entry_amount,
    case when e.account_id = any($4::text[]) then -e.balance_after end as balance_after,
    case when e.account_id = any($4::text[]) then e.account_version end as version
  from found join transactions t on t.id = found.id join entries e on e.transaction_id = t.id
  order by e.amount desc, e.account_id`);

/** The merchant's transaction under a key: one row per entry, debits first. Empty when there is none. */
export function readTransaction(pool: Pool, merchant: MerchantScope, key: string): Promise<Row[]> {
  const own = [collected(merchant), settled(merchant), payouts(merchant)];
  return read(pool, [key, merchant.id, merchant.mode, own]);
}
