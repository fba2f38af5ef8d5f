import type { ServiceName } from "@collect/contracts";
import { databaseOf, restrict } from "@collect/database";
import { asAdmin, refuseConnections } from "./unavailable.ts";

/**
 * Copies the current database of a service. PostgreSQL cannot copy a database in use, so its connections are terminated
 * briefly. The returned function replaces the database with the copy, like restoring a backup.
 */
export async function backUp(adminUrl: string, service: ServiceName): Promise<() => Promise<void>> {
  const database = databaseOf(service);
  const copy = `${database}_backup`;
  const allow = await refuseConnections(adminUrl, service);
  await asAdmin(adminUrl, async (client) => {
    await client.query(`drop database if exists ${copy}`);
    await client.query(`create database ${copy} template ${database}`);
  });
  await allow();
  return () =>
    asAdmin(adminUrl, async (client) => {
      await client.query(`drop database ${database} (force)`);
      await client.query(`create database ${database} template ${copy}`);
      await restrict(client, database, database);
    });
}
