import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createLogger, startComponent } from "@collect/runtime";
import { type PostgresServer, startPostgres } from "@collect/servers";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { addressOf, createPool, createPools, database, databases } from "../src/index.ts";

const silent = createLogger("database", "silent");
const SERVICE = { role: "service", password: "a password" };
let directory: string;
let migrations: URL;
let postgres: PostgresServer;

const startServer = (port: number) => startPostgres({ directory, port, settings: { fsync: "off" } });
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "collect-late-"));
  await mkdir(join(directory, "migrations", "20260101_first"), { recursive: true });
  migrations = pathToFileURL(join(directory, "migrations/"));
  postgres = await startServer(0);
  await asAdmin("create role service login password 'a password'");
});
afterAll(async () => {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

async function asAdmin(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/** Starts as `run` does, and shows what it waits for. */
function start(component: ReturnType<typeof database>) {
  onTestFinished(() => component.stop());
  const waits: string[] = [];
  const warn = (fields: { waits_for: string; err: Error }) =>
    void waits.push(`${fields.waits_for}: ${fields.err.message}`);
  const state = { isStarted: false };
  const started = startComponent(component, Object.assign(Object.create(silent), { warn })).then(() => {
    state.isStarted = true;
  });
  return { started, state, untilItWaitsFor: (what: string) => expect.poll(() => waits.at(-1)).toContain(what), waits };
}

test("a service waits for a PostgreSQL that starts late, then for its primary and its migrations, and says so", async () => {
  await asAdmin("alter role service set default_transaction_read_only = on");
  await postgres.stop();
  const url = addressOf(postgres.url, "postgres", SERVICE);
  const pools = createPools({ url, service: "test", log: silent });
  const { started, state, untilItWaitsFor } = start(databases(pools, migrations));
  await untilItWaitsFor("database: connect ECONNREFUSED");

  postgres = await startServer(postgres.port);
  await untilItWaitsFor("database: it can only be read");
  await asAdmin("alter role service reset default_transaction_read_only");
  await untilItWaitsFor("database: it was never migrated: run the migrate job");
  await asAdmin(
    "create table _prisma_migrations (migration_name text, finished_at timestamptz, rolled_back_at timestamptz)",
  );
  await asAdmin("insert into _prisma_migrations values ('20260101_first')");
  // Only the migrate job lets the service read it.
  await asAdmin("grant select on _prisma_migrations to service");
  await untilItWaitsFor("database: 20260101_first is not applied: run the migrate job");
  expect(state.isStarted).toBe(false);
  await asAdmin("update _prisma_migrations set finished_at = now()");
  await started;
});

test.each([
  ["a wrong password", { ...SERVICE, password: "another" }, "postgres", "password authentication failed"],
  ["a database that does not exist", SERVICE, "nowhere", 'database "nowhere" does not exist'],
])("%s is not waited for", async (_, login, name, reason) => {
  const pool = createPool({ url: addressOf(postgres.url, name, login), service: "test", log: silent });
  const { started, waits } = start(database(pool, migrations));
  await expect(started).rejects.toThrow(reason);
  expect(waits).toEqual([]);
});
