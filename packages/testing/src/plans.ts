import type { Pool } from "@collect/database";

type Reads = Record<string, () => Promise<unknown>>;

/**
 * How many rows of tables each of the reads reads, by its name, as PostgreSQL counts them. `pool` has one connection, so
 * that its statements keep the plans that they were given first; nothing else may run meanwhile.
 */
export async function countRowsRead(
  { pool, owner }: { pool: Pool; owner: Pool },
  reads: Reads,
): Promise<[name: string, rows: number][]> {
  const counted: [string, number][] = [];
  for (const [name, read] of Object.entries(reads)) {
    const before = await readSoFar(pool, owner);
    await read();
    counted.push([name, (await readSoFar(pool, owner)) - before]);
  }
  return counted;
}

async function readSoFar(pool: Pool, owner: Pool): Promise<number> {
  // What the owner wrote before reads rows, too, and would be counted a moment later, with one of the reads.
  for (const each of [pool, owner]) await each.query("select pg_stat_force_next_flush()");
  const { rows } = await owner.query<{ read: number }>(
    "select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as read from pg_stat_user_tables",
  );
  return rows[0]?.read ?? 0;
}
