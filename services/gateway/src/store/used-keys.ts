import { type Pool, statement } from "@collect/database";

/** With a resolution of one minute, so a busy key is written once a minute. A key that another replica is writing is skipped: no replica waits. */
const write = statement(`
  with used as (
    select k.id, date_trunc('minute', u.at) as at
    from unnest($1::bigint[], $2::timestamptz[]) as u (id, at) join api_keys k on k.id = u.id
    where k.last_used_at is null or k.last_used_at < date_trunc('minute', u.at)
    for update of k skip locked
  )
  update api_keys k set last_used_at = greatest(k.last_used_at, used.at) from used where used.id = k.id`);

export async function writeLastUses(pool: Pool, uses: ReadonlyMap<bigint, number>): Promise<void> {
  await write(pool, [[...uses.keys()], [...uses.values()].map((seconds) => new Date(seconds * 1_000))]);
}
