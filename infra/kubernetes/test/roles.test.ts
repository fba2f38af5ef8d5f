import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressOf, createPool, databaseOf, loginOf, migrate, ownerOf } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { startPostgres } from "@collect/servers";
import { expect, onTestFinished, test } from "vitest";
import { manifests } from "./manifests.ts";
import { rolesAndDatabase } from "./roles.ts";

const password = "of this test";

/** A server with the roles and the database of the ledger. Returns how one of its roles connects. */
async function aServer(directory: string) {
  const server = await startPostgres({ directory, port: 0, settings: { fsync: "off" } });
  onTestFinished(() => server.stop());
  const poolOf = (url: string) => {
    const pool = createPool({ url, service: "a login's process", log: createLogger("kubernetes", "silent"), max: 1 });
    onTestFinished(() => pool.end());
    return pool;
  };
  const cluster = manifests.find(({ kind, metadata }) => kind === "Cluster" && metadata.name === "ledger-db");
  if (!cluster) throw new Error("the ledger has no database");
  for (const { database, statement } of rolesAndDatabase(cluster, password)) {
    const pool = poolOf(addressOf(server.url, database));
    await pool.query(statement);
  }
  const urlOf = (role: string) => addressOf(server.url, databaseOf("ledger"), { role, password });
  return { urlOf, poolOf };
}

test("the migrate job names the process whose transaction it waits for", async () => {
  const directory = await mkdtemp(join(tmpdir(), "collect-roles-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const add = async (name: string, sql: string) => {
    await mkdir(join(directory, "migrations", name), { recursive: true });
    await writeFile(join(directory, "migrations", name, "migration.sql"), sql);
  };
  await writeFile(join(directory, "schema.prisma"), 'datasource db {\n  provider = "postgresql"\n}\n');
  const { urlOf, poolOf } = await aServer(join(directory, "postgres"));
  const owner = urlOf(ownerOf("ledger"));
  await add("1_rows", "create table rows (id text); grant select on rows to collect_ledger;");
  await migrate({ url: owner, directory });

  const reader = await poolOf(urlOf(loginOf("ledger", "a"))).connect();
  onTestFinished(() => reader.release());
  await reader.query("begin; select from rows");
  await add("2_column", "alter table rows add column name text;");
  await expect(migrate({ url: owner, directory, giveUpAfterMs: 0 })).rejects.toThrow(
    /The oldest transaction is process \d+ \(a login's process, since/,
  );
});
