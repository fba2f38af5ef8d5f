import { type Pool, statement } from "@collect/database";
import { type FullAccount, HALF_FULL_KOBO } from "../domain/headroom.ts";
import { NAMED_MAX } from "../domain/proof.ts";

// Reads every ledger account, as the sums of the audit do. An index of those beyond half would cost each posting its
// heap-only updates, because the balance would be part of it.
const full = statement<FullAccount>(`
  select id, balance from ledger_accounts where balance not between -$1::bigint and $1::bigint order by id limit ${NAMED_MAX}`);

/** The ledger accounts whose balance has passed half of what a BIGINT holds. */
export const readFullAccounts = (pool: Pool): Promise<FullAccount[]> => full(pool, [HALF_FULL_KOBO]);
