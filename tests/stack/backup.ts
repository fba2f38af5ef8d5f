import type { ServiceName } from "@collect/contracts";
import { databaseOf, restrict } from "@collect/database";
import pg from "pg";

/**
 * Copies the database of a service as it stands. PostgreSQL copies none that is in use, so its connections are cut for that
 * moment, and come back. The copy takes its place, as a backup does, when the returned function is called.
 */
export async function backUp(adminUrl: string, service: ServiceName): Promise<() => Promise<void>> {
  const database = databaseOf(service);
  const copy = `${database}_backup`;
  await asAdmin(adminUrl, async (client) => {
    await client.query(`drop database if exists ${copy}`);
    await client.query(`alter database ${database} allow_connections false`);
    await cut(client, database);
    await client.query(`create database ${copy} template ${database}`);
    await client.query(`alter database ${database} allow_connections true`);
  });
  return () =>
    asAdmin(adminUrl, async (client) => {
      await client.query(`drop database ${database} (force)`);
      await client.query(`create database ${database} template ${copy}`);
      await restrict(client, database, database);
    });
}

async function asAdmin(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Gone are they only some moments after they were told to go. */
async function cut(client: pg.Client, database: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
      database,
    ]);
    if (rows.length === 0) return;
  }
}
