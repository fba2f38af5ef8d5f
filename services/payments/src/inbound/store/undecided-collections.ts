import type { CountedMinute, collectionPosted, Fact, Mode } from "@collect/contracts";
import { columns, type Pool, type Session, statement } from "@collect/database";

/** Collections that were not decided when this database was restored: while it catches up, they wait until all decisions are repeated. */

type Posted = Fact<typeof collectionPosted>;

const insert = statement(`
  insert into undecided_collections (intake_id, mode, amount, received_at)
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[]) as c (intake_id, mode, amount, received_at)
  order by intake_id
  on conflict (intake_id) do nothing`);

/** Only that they came: accounts drives them again. */
export async function putOff(tx: Session, posted: Posted[]): Promise<void> {
  if (posted.length === 0) return;
  const merchants = posted.map(({ merchant }) => merchant);
  await insert(tx, [
    ...columns(posted, "intakeId"),
    ...columns(merchants, "mode"),
    ...columns(posted, "amount", "receivedAt"),
  ]);
}

const clear = statement("delete from undecided_collections");
export const clearUndecided = async (pool: Pool): Promise<void> => void (await clear(pool, []));

const IS_OPEN = "not exists (select from collections c where c.intake_id = u.intake_id)";

const count = statement<CountedMinute>(`
  select mode, 'collection' as kind, date_trunc('minute', received_at, 'UTC') as minute, count(*)::integer as count,
    sum(amount)::bigint as sum
  from (
    select mode, received_at, amount from collections where received_at >= $1 and received_at < $2
    union all
    select mode, received_at, amount from undecided_collections u where received_at >= $1 and received_at < $2 and ${IS_OPEN}
  ) as seen
  group by 1, 3`);

/** The count and sum of the collections received in each minute of [from, to) that are stored, or wait to be. */
export const countSeen = (pool: Pool, { from, to }: { from: string; to: string }): Promise<CountedMinute[]> =>
  count(pool, [from, to]);

export type UndecidedSpan = { mode: Mode; count: number; from: string; to: string };
const spans = statement<UndecidedSpan>(`
  select mode, count(*)::integer as count, min(received_at) as "from", max(received_at) + interval '1 millisecond' as "to"
  from (
    select mode, received_at, count(*) filter (where is_apart) over (partition by mode order by received_at) as span
    from (
      select mode, received_at, received_at - lag(received_at) over (partition by mode order by received_at) > interval '1 hour' as is_apart
      from undecided_collections u where ${IS_OPEN}
    ) as received
  ) as spans
  group by mode, span order by mode, span`);

/** When those that still wait were received, in [from, to); one that was allocated after months does not include everything in between. */
export const undecidedSpans = (pool: Pool): Promise<UndecidedSpan[]> => spans(pool, []);
