import type { ServiceName } from "@collect/contracts";
import { addressOf, databaseOf } from "@collect/database";
import pg from "pg";

/** Ends the connections to a service's database, and refuses more until the returned function is called. */
export async function refuseConnections(adminUrl: string, service: ServiceName): Promise<() => Promise<void>> {
  const database = databaseOf(service);
  const allow = (allowed: boolean) =>
    asAdmin(adminUrl, async (client) => {
      await client.query(`alter database ${database} allow_connections ${allowed}`);
      if (!allowed) await terminateConnections(client, database);
    });
  await allow(false);
  return () => allow(true);
}

/** Locks a table in a transaction that lasts until the returned function is called. */
export async function lockTable(adminUrl: string, service: ServiceName, table: string): Promise<() => Promise<void>> {
  const session = new pg.Client({ connectionString: addressOf(adminUrl, databaseOf(service)) });
  await session.connect();
  await session.query(`begin; lock table ${table} in access exclusive mode`);
  return () => session.end();
}

export async function asAdmin(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
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
