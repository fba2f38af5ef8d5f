import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { collected, payouts, settled } from "../domain/account.ts";
import { accountForMerchants } from "./books.ts";

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
  select t.id::text as transaction_id, t.kind, t.amount, t.fee, t.fee_basis_points, t.occurred_at, t.posted_at, e.*
  from found join transactions t on t.id = found.id cross join lateral (
    select account, sum(amount)::bigint as entry_amount,
      max(-balance_after) filter (where account_id = any($4::text[])) as balance_after,
      max(account_version) filter (where account_id = any($4::text[])) as version
    from (select *, ${accountForMerchants("account_id")} as account from entries where transaction_id = t.id) as entry
    group by account
  ) as e
  order by e.entry_amount desc, e.account`);

/** The merchant's transaction under a key: one row per entry, debits first. Empty when there is none. */
export function readTransaction(pool: Pool, merchant: MerchantScope, key: string): Promise<Row[]> {
  const own = [collected(merchant), settled(merchant), payouts(merchant)];
  return read(pool, [key, merchant.id, merchant.mode, own]);
}
