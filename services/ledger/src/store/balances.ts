import type { MerchantScope, Mode } from "@collect/contracts";
import { type Pool, query, type Session, statement } from "@collect/database";
import { collected, settled } from "../domain/account.ts";

type Row = { collected: bigint; settled: bigint; sequence: bigint; as_of: string };

// A liability is negative in the ledger and shown as positive.
const read = statement<Row>(`
  select coalesce(sum(-balance) filter (where kind = 'collected'), 0)::bigint as collected,
    coalesce(sum(-balance) filter (where kind = 'settled'), 0)::bigint as settled,
    coalesce(sum(version), 0)::bigint as sequence,
    time_of($2, $3) as as_of
  from ledger_accounts where id = any($1::text[])`);

/**
 * A merchant's balances in one mode, in kobo, and the sequence they were read at. Zero without ledger accounts. Collected is negative
 * by what the merchant owes.
 */
export async function balanceOf(pool: Session, merchant: MerchantScope) {
  const [row] = await read(pool, [[collected(merchant), settled(merchant)], merchant.id, merchant.mode]);
  if (!row) throw new Error("an aggregate returned no row");
  return { collected: row.collected, settled: row.settled, as_of: row.as_of, ledger_sequence: Number(row.sequence) };
}

export type OwnBalances = {
  mode: Mode;
  bank: bigint;
  bank_charges: bigint;
  own_funds: bigint;
  fees: bigint;
  suspense: bigint;
};

// An account of ours has a row per shard. Assets and expenses are debits, own funds, income and liabilities credits: each is shown as positive.
const own = query<OwnBalances>(`
  select mode,
    coalesce(sum(balance) filter (where kind = 'bank'), 0)::bigint as bank,
    coalesce(sum(balance) filter (where kind = 'bank_charges'), 0)::bigint as bank_charges,
    coalesce(-sum(balance) filter (where kind = 'own_funds'), 0)::bigint as own_funds,
    coalesce(-sum(balance) filter (where kind = 'fees'), 0)::bigint as fees,
    coalesce(-sum(balance) filter (where kind = 'suspense'), 0)::bigint as suspense
  from (values ('live'), ('test')) as modes (mode)
  left join lateral (
    select a.kind, a.balance from (values ('bank'), ('bank_charges'), ('own_funds'), ('fees'), ('suspense')) as ours (of_kind)
    join ledger_accounts a on a.id > modes.mode || ':' || of_kind || ':' and a.id < modes.mode || ':' || of_kind || ';'
  ) as account on true
  group by mode order by mode`);

/** Of both modes, in kobo. */
export const ownBalances = (pool: Pool) => own(pool, []);
