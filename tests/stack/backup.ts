import type { ServiceName } from "@collect/contracts";
import { databaseOf, restrict } from "@collect/database";
import pg from "pg";

/**
 * Copies the current database of a service. PostgreSQL cannot copy a database in use, so its connections are terminated
 * briefly. The returned function replaces the database with the copy, like restoring a backup.
 */
export async function backUp(adminUrl: string, service: ServiceName): Promise<() => Promise<void>> {
  const database = databaseOf(service);
  const copy = `${database}_backup`;
  await asAdmin(adminUrl, async (client) => {
    await client.query(`drop database if exists ${copy}`);
    await client.query(`alter database ${database} allow_connections false`);
    await terminateConnections(client, database);
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

/** Connections close only some time after they were terminated. */
async function terminateConnections(client: pg.Client, database: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
      database,
    ]);
    if (rows.length === 0) return;
  }
}
