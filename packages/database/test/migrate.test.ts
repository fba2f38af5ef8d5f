import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createLogger } from "@collect/runtime";
import { type PostgresServer, startPostgres } from "@collect/servers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { databaseChecks } from "../src/checks.ts";
import {
  addressOf,
  createPool,
  databaseOf,
  loginOf,
  migrate,
  openLogin,
  openOwner,
  ownerOf,
  provision,
  TIGHT,
} from "../src/index.ts";

let directory: string;
let postgres: PostgresServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "collect-migrate-"));
  postgres = await startPostgres({ directory, port: 0, settings: { fsync: "off" } });
});
afterAll(async () => {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

/** A service's database, and its `prisma` folder with these migrations. */
async function aService(name: string, migrations: Record<string, string>) {
  await provision(postgres.url, name);
  const login = { role: ownerOf(name), password: "the owner's password" };
  await openOwner(postgres.url, name, login.password);
  const owner = addressOf(postgres.url, databaseOf(name), login);
  const prisma = join(directory, `prisma-${name}`);
  const add = async (added: Record<string, string>) => {
    for (const [migration, sql] of Object.entries(added)) {
      await mkdir(join(prisma, "migrations", migration), { recursive: true });
      await writeFile(join(prisma, "migrations", migration, "migration.sql"), sql);
    }
  };
  await add(migrations);
  await writeFile(join(prisma, "schema.prisma"), 'datasource db {\n  provider = "postgresql"\n}\n');
  return { owner, prisma, add };
}

test("two concurrent migrations run one after the other, even with an index created concurrently", async () => {
  const { owner, prisma } = await aService("migrating", {
    "1_rows": "create table rows (id text not null primary key);",
    "2_index": "create index concurrently rows_id_idx on rows (id);",
    "3_index": "create index concurrently rows_by_id_idx on rows (id desc);",
  });
  const both = await Promise.all([1, 2].map(() => migrate({ url: owner, directory: prisma })));
  expect(both.map((applied) => applied.length).sort()).toEqual([0, 3]);
});

test("a service sees with its own rights which of its migrations are applied, also while another pool is in use", async () => {
  const { owner, prisma, add } = await aService("checked", { "1_rows": "create table rows (id text);" });
  const migrated = () => migrate({ url: owner, directory: prisma });
  await migrated();
  const login = { role: loginOf("checked", "a"), password: "of this test" };
  await openLogin(postgres.url, "checked", login);
  const url = addressOf(postgres.url, databaseOf("checked"), login);
  const pools = [1, 2].map(() =>
    createPool({ url, service: "checked", log: createLogger("checked", "silent"), max: 1 }),
  );
  onTestFinished(async () => void (await Promise.all(pools.map((pool) => pool.end()))));
  const busy = await pools[0]?.connect();
  onTestFinished(() => busy?.release());
  const checks = () => databaseChecks(pools, pathToFileURL(`${prisma}/migrations/`));
  const earlier = checks();
  await expect(earlier.migrations?.()).resolves.toBeUndefined();

  await add({ "2_more": "create table more (id text);" });
  const later = checks();
  await expect(later.migrations?.()).rejects.toThrow("2_more is not applied");
  await expect(later.database?.()).resolves.toBeUndefined();
  await migrated();
  await expect(later.migrations?.()).resolves.toBeUndefined();
  await expect(earlier.migrations?.()).resolves.toBeUndefined();
});

test("a migration that fails says what PostgreSQL said, and leaves nothing of itself", async () => {
  const { owner, prisma } = await aService("failing", { "1_rows": "create table rows (id text); select 1 / 0;" });
  await expect(migrate({ url: owner, directory: prisma })).rejects.toThrow("collect_failing, 1_rows: division by zero");
  const client = new pg.Client({ connectionString: owner });
  onTestFinished(() => client.end());
  await client.connect();
  expect((await client.query("select to_regclass('rows') as created")).rows).toEqual([{ created: null }]);
});

describe("a migration of a table that a long transaction has read", () => {
  /** A table, a transaction that has read it, and the connection of a service. */
  async function aLockedTable(name: string) {
    const service = await aService(name, { "1_rows": "create table rows (id text not null primary key);" });
    await migrate({ url: service.owner, directory: service.prisma });
    const reader = new pg.Client({ connectionString: service.owner, application_name: "nightly report" });
    await reader.connect();
    await reader.query("begin; select from rows");
    const pool = createPool({
      url: service.owner,
      service: name,
      log: createLogger("database", "silent"),
      limits: TIGHT,
    });
    onTestFinished(async () => {
      await Promise.all([reader.end(), pool.end()]);
    });
    const attempts: string[] = [];
    const log = createLogger("migrate", "silent");
    log.warn = (_: unknown, message?: string) => void attempts.push(message ?? "");
    return { ...service, reader, pool, log, attempts };
  }

  test("makes no query behind it fail, and is applied once the transaction has ended", async () => {
    const { owner, prisma, add, reader, pool, log, attempts } = await aLockedTable("patient");
    await add({ "2_column": "alter table rows add column name text; create table more (id text);" });
    const migrated = migrate({ url: owner, directory: prisma, log });
    while (attempts.length < 3) await pool.query("insert into rows values (gen_random_uuid()); select from rows");
    expect(await pool.query("select from pg_class where relname = 'more'")).toMatchObject({ rowCount: 0 });
    await reader.query("commit");
    expect(await migrated).toEqual(["2_column"]);
    expect(await pool.query("select name from rows where name is not null")).toMatchObject({ rowCount: 0 });
  });

  test("is given up with the name of the transaction, and can simply be run again", async () => {
    const { owner, prisma, add, reader, log } = await aLockedTable("impatient");
    await add({ "2_column": "alter table rows add column name text;" });
    const run = (giveUpAfterMs?: number) => migrate({ url: owner, directory: prisma, log, giveUpAfterMs });
    await expect(run(0)).rejects.toThrow(
      /collect_impatient, 2_column: it did not get its lock\. The oldest transaction is process \d+ \(nightly report, since/,
    );
    await reader.query("commit");
    expect(await run()).toEqual(["2_column"]);
  });

  test("waits as long as it takes if it creates an index concurrently, for that lets queries pass", async () => {
    const { owner, prisma, add, reader, pool, log, attempts } = await aLockedTable("concurrent");
    await reader.query("insert into rows values ('a')");
    await add({ "2_index": "-- Alone.\ncreate index concurrently rows_by_id_idx on rows (id desc);" });
    const migrated = migrate({ url: owner, directory: prisma, log, giveUpAfterMs: 0 });
    const waiting = () =>
      pool.query(
        "select from pg_stat_activity where query ~ 'create index concurrently' and wait_event_type = 'Lock' and clock_timestamp() - query_start > '800ms'",
      );
    await expect.poll(async () => (await waiting()).rowCount, { timeout: 20_000 }).toBe(1);
    await pool.query("insert into rows values ('b')");
    await reader.query("commit");
    expect([await migrated, attempts]).toEqual([["2_index"], []]);
    expect((await pool.query("select from pg_index where not indisvalid")).rowCount).toBe(0);
  });
});
