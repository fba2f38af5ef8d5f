import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { collected, settled } from "../domain/account.ts";

type Row = { collected: bigint; settled: bigint; sequence: bigint; as_of: string };

// A debt stands below zero in the ledger and is shown above it.
const read = statement<Row>(`
  select coalesce(sum(-balance) filter (where kind = 'collected'), 0)::bigint as collected,
    coalesce(sum(-balance) filter (where kind = 'settled'), 0)::bigint as settled,
    coalesce(sum(version), 0)::bigint as sequence,
    clock_timestamp() as as_of
  from ledger_accounts where id = any($1::text[])`);

/** What we hold for a merchant in one mode, in kobo, and the position it was read at. Zero for whoever has no account yet. */
export async function balanceOf(pool: Pool, merchant: MerchantScope) {
  const [row] = await read(pool, [[collected(merchant), settled(merchant)]]);
  if (!row) throw new Error("an aggregate without a row");
  return { collected: row.collected, settled: row.settled, as_of: row.as_of, ledger_sequence: Number(row.sequence) };
}
