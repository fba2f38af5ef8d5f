import { type Pool, statement } from "@collect/database";
import { type Difference, NAMED_MAX, type ProvenPage } from "../../domain/audit-parts.ts";

/** The sessions in `chunk` whose status or amount received does not match their collections. */
const MISMATCHED = `
  select format('%s, received %s kobo and %s were taken back, and its collections are %s kobo and %s', s.status, s.amount_received,
      s.amount_reversed, money.sum, money.reversed) as what,
    format('session %s of merchant %s', s.reference, s.merchant_id) as where
  from chunk as s cross join lateral (
    select coalesce(sum(c.amount), 0) as sum, coalesce(sum(c.amount_reversed), 0) as reversed from collections as c
    where c.payment_reference = s.reference and c.merchant_id = s.merchant_id and c.mode = s.mode
  ) as money
  where s.amount_received <> money.sum or s.amount_reversed <> money.reversed or not case s.status
    when 'underpaid' then money.sum > 0 and money.sum < s.amount
    when 'overpaid' then money.sum > s.amount
    when 'paid' then money.sum >= s.amount
    when 'paid_late' then money.sum >= s.amount
    else money.sum = 0
  end
  limit ${NAMED_MAX}`;

const walk = statement<ProvenPage>(`
  with chunk as materialized (select * from sessions where reference > $1 order by reference limit $2),
  unlike as (${MISMATCHED})
  select coalesce((select reference from chunk order by reference desc limit 1), $1) as cursor,
    (select count(*)::integer from chunk) as proven,
    coalesce((select jsonb_agg(unlike) from unlike), '[]') as differences`);

/** The next sessions after the cursor. One statement sees a session and its collections as they were committed. */
export async function proveSessions(pool: Pool, after: string, pageMax: number): Promise<ProvenPage> {
  const [page] = await walk(pool, [after, pageMax]);
  if (!page) throw new Error("an aggregate without a row");
  return page;
}

const recent = statement<Difference>(`
  with chunk as materialized (
    select * from sessions where paid_at > now() - interval '10 minutes' and paid_at <= now() + interval '1 minute'
    order by paid_at desc limit $1
  )
  ${MISMATCHED}`);

/**
 * Checks the sessions that were paid in the last ten minutes, newest first. Those of a test clock that is ahead would take the place of
 * others for as long as that takes; they are proven in their turn.
 */
export const proveRecentlyPaid = (pool: Pool, limit: number): Promise<Difference[]> => recent(pool, [limit]);
