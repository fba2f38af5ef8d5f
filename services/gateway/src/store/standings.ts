import type { browseMerchants, Input, MerchantStanding } from "@collect/contracts";
import { type Pool, query, statement } from "@collect/database";
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
  return rows.map(toStanding);
}

const toStanding = (row: Row): MerchantStanding => ({
  merchant_id: row.id,
  ...standingOf({
    state: row.state,
    verified: row.verified_at !== null,
    suspension: suspensionOf(row.suspended_at, row.suspension_reason),
  }),
});

type Browsed = Row & { name: string; created_at: string; submitted_at: string | null };

/** By the index on the time of creation, or on the beginning of the name. The standing is that of `standingOf`. */
const browse = query<Browsed>(`
  select m.id, m.name, m.created_at, m.verified_at, m.suspended_at, m.suspension_reason, v.state, v.submitted_at
  from merchants m left join merchant_verifications v on v.merchant_id = m.id
  where ($1::timestamptz is null or (m.created_at, m.id) < ($1, $2))
    and ($3::text is null or m.id = $3 or lower(m.name) like $4)
    and ($5::text is null or $5 = case
      when m.suspended_at is not null then 'suspended' when m.verified_at is not null then 'verified'
      when v.state in ('submitted', 'returned') then v.state else 'draft' end)
  order by m.created_at desc, m.id desc limit $6`);

type Page = Pick<Input<typeof browseMerchants>, "search" | "standing"> & {
  before: { created_at: string; id: string } | null;
  rows: number;
};

export async function browseStandings(pool: Pool, { search, standing, before, rows }: Page) {
  const beginning = search === undefined ? null : `${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const values = [before?.created_at ?? null, before?.id ?? null, search ?? null, beginning, standing ?? null, rows];
  const found = await browse(pool, values);
  return found.map(({ name, created_at, submitted_at, ...row }) => ({
    ...toStanding(row),
    ...{ name, created_at, submitted_at },
  }));
}

export function suspensionOf(since: string | null, reason: string | null): MerchantStanding["suspension"] {
  return since === null ? null : { since, reason: reason ?? "" };
}
