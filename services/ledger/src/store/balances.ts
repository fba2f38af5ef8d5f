import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { collected, settled } from "../domain/account.ts";

type Row = { collected: bigint; settled: bigint; sequence: bigint; as_of: string };

// A liability is negative in the ledger and shown as positive.
const read = statement<Row>(`
  select coalesce(sum(-balance) filter (where kind = 'collected'), 0)::bigint as collected,
    coalesce(sum(-balance) filter (where kind = 'settled'), 0)::bigint as settled,
    coalesce(sum(version), 0)::bigint as sequence,
    time_of($2, $3) as as_of
  from ledger_accounts where id = any($1::text[])`);

/** A merchant's balances in one mode, in kobo, and the sequence they were read at. Zero without ledger accounts. */
export async function balanceOf(pool: Pool, merchant: MerchantScope) {
  const [row] = await read(pool, [[collected(merchant), settled(merchant)], merchant.id, merchant.mode]);
  if (!row) throw new Error("an aggregate returned no row");
  return { collected: row.collected, settled: row.settled, as_of: row.as_of, ledger_sequence: Number(row.sequence) };
}
