import { readdir } from "node:fs/promises";
import { type Checks, NotReady } from "@collect/telemetry";
import pg from "pg";
import type { Pool } from "./pool.ts";
import { query } from "./statement.ts";

/**
 * Whether the database answers and can be written to, and whether it is migrated as far as the service needs: it has all migrations of this folder. A
 * database with more is that of a later release, beside which this one runs.
 */
export function databaseChecks(pools: Pool[], migrations: URL) {
  let own: Promise<string[]> | undefined;
  return {
    async database() {
      await assertWritable(withConnection(pools));
    },
    async migrations() {
      own ??= namesIn(migrations);
      const [missing] = await firstMissing(withConnection(pools), [await own]).catch(neverMigrated);
      if (missing) throw new NotReady(`${missing.name} is not applied: run the migrate job`);
    },
  } satisfies Checks;
}

/** The migrate job makes the table, and lets the service read it. */
function neverMigrated(error: unknown): never {
  if (error instanceof pg.DatabaseError && NEVER_MIGRATED.has(error.code ?? ""))
    throw new NotReady("it was never migrated: run the migrate job", { cause: error });
  throw error;
}

const NEVER_MIGRATED = new Set(["42P01", "42501"]);

/** One of which a connection is free: a check waits for one only if every pool is in use, and then the process serves nothing more. */
function withConnection(pools: Pool[]): Pool {
  const isFree = (pool: Pool) => pool.idleCount > 0 || pool.totalCount < pool.options.max;
  const pool = pools.find(isFree) ?? pools[0];
  if (!pool) throw new Error("a database without a pool");
  return pool;
}

/** A standby answers, too, when the address still leads to it, or to the former primary. */
export async function assertWritable(pool: Pool): Promise<void> {
  const connection = await pool.connect();
  let isReadOnly = true;
  try {
    const [row] = await readOnly(connection);
    isReadOnly = row?.on !== false;
  } finally {
    // The next connection may reach the primary.
    connection.release(isReadOnly);
  }
  if (isReadOnly) throw new NotReady("it can only be read: the address leads to a standby");
}

const readOnly = query<{ on: boolean }>("select current_setting('transaction_read_only')::boolean as on");

const firstMissing = query<{ name: string }>(`
  select name from unnest($1::text[]) as own (name) where not exists (
    select from _prisma_migrations m where m.migration_name = own.name and m.finished_at is not null and m.rolled_back_at is null)
  order by name limit 1`);

async function namesIn(migrations: URL): Promise<string[]> {
  const entries = await readdir(migrations, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
