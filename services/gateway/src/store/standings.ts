import type { MerchantStanding } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { standingOf } from "../domain/standing.ts";

type Row = {
  id: string;
  verified_at: string | null;
  suspended_at: string | null;
  suspension_reason: string | null;
  state: string | null;
};

/** Read for every live session, account, link and payout: by primary keys, and never from a copy. */
const read = statement<Row>(`
  select m.id, m.verified_at, m.suspended_at, m.suspension_reason, v.state
  from merchants m left join merchant_verifications v on v.merchant_id = m.id
  where m.id = any($1::text[])`);

export async function findStandings(pool: Pool, ids: string[]): Promise<MerchantStanding[]> {
  const rows = await read(pool, [ids]);
  return rows.map((row) => ({
    merchant_id: row.id,
    ...standingOf({
      state: row.state,
      verified: row.verified_at !== null,
      suspension: suspensionOf(row.suspended_at, row.suspension_reason),
    }),
  }));
}

export function suspensionOf(since: string | null, reason: string | null): MerchantStanding["suspension"] {
  return since === null ? null : { since, reason: reason ?? "" };
}
