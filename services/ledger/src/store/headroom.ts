import { type Pool, statement } from "@collect/database";
import { type FullAccount, HALF_FULL_KOBO } from "../domain/headroom.ts";
import { DIFFERENCES_MAX } from "../domain/proof.ts";

// Reads every ledger account, as the sums of the audit do. A partial index of those beyond half would prevent heap-only
// updates on every posting, because its predicate would include the balance.
const full = statement<FullAccount>(`
  select id, balance from ledger_accounts where balance not between -$1::bigint and $1::bigint order by id limit ${DIFFERENCES_MAX}`);

/** The ledger accounts whose balance has passed half of the range of a BIGINT. */
export const readFullAccounts = (pool: Pool): Promise<FullAccount[]> => full(pool, [HALF_FULL_KOBO]);
