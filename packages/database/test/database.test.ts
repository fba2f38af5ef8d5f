import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@collect/runtime";
import { type PostgresServer, startPostgres } from "@collect/servers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  columns,
  createPool,
  isTransient,
  migrate,
  type Pool,
  provision,
  statement,
  transaction,
} from "../src/index.ts";

const log = createLogger("database", "silent");
let directory: string;
let postgres: PostgresServer;
let pool: Pool;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "collect-database-"));
  postgres = await startPostgres({ directory, port: 0, settings: { fsync: "off" } });
  pool = createPool({ url: postgres.url, service: "test", log, max: 2 });
  await pool.query("create table amounts (id text primary key, amount bigint, at timestamptz(3))");
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

const insert = statement("insert into amounts select * from unnest($1::text[], $2::bigint[], $3::timestamptz[])");
const read = statement<{ id: string; amount: bigint; at: string }>("select * from amounts where id = any($1::text[])");
const at = "2026-11-21T09:30:00.120+00:00";

describe("transactions", () => {
  test("a row comes back as it goes on the wire: bigint kobo, times with an offset", async () => {
    const rows = [{ id: "a", amount: 9_007_199_254_740_993n, at }];
    await transaction(pool, (tx) => insert(tx, columns(rows, "id", "amount", "at")));
    expect(await read(pool, [["a"]])).toEqual(rows);
  });

  test("what throws leaves nothing behind, and the connection serves the next", async () => {
    const failing = transaction(pool, async (tx) => {
      await insert(tx, [["b"], [1n], [at]]);
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    await expect(transaction(pool, (tx) => insert(tx, [["a"], [1n], [at]]))).rejects.toMatchObject({ code: "23505" });
    expect(await read(pool, [["b"]])).toEqual([]);
  });

  test("a connection that dies inside is thrown away, its error will pass, and the pool goes on", async () => {
    const dying = transaction(pool, async (tx) => {
      const [row] = await statement<{ pid: number }>("select pg_backend_pid() as pid")(tx);
      await pool.query("select pg_terminate_backend($1)", [row?.pid]);
      await insert(tx, [["c"], [1n], [at]]);
    });
    const error = await dying.catch((failure) => failure);
    expect(isTransient(error)).toBe(true);
    expect(await read(pool, [["c"]])).toEqual([]);
  });
});

test.each([
  [Object.assign(new Error("deadlock"), { code: "40P01" }), true],
  [Object.assign(new Error("shutting down"), { code: "57P01" }), true],
  [Object.assign(new Error("connect"), { code: "ECONNREFUSED" }), true],
  [Object.assign(new Error("cannot reach"), { code: "P1001" }), true],
  [new Error("Connection terminated unexpectedly"), true],
  [new Error("wrapped", { cause: Object.assign(new Error("too many"), { code: "53300" }) }), true],
  [Object.assign(new Error("duplicate key"), { code: "23505" }), false],
  [Object.assign(new Error("out of range"), { code: "22003" }), false],
  [Object.assign(new Error("permission denied"), { code: "42501" }), false],
  [new Error("a repeat with another amount"), false],
  ["not even an error", false],
])("whether %s will pass by itself: %s", (error, passes) => expect(isTransient(error)).toBe(passes));

test("two that migrate at once do so one after the other, also where an index is made beside running services", async () => {
  const { owner } = await provision(postgres.url, "migrating");
  const prisma = join(directory, "prisma");
  const migrations = {
    "1_rows": "create table rows (id text not null primary key);",
    "2_index": "create index concurrently rows_id_idx on rows (id);",
    "3_index": "create index concurrently rows_by_id_idx on rows (id desc);",
  };
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(prisma, "migrations", name), { recursive: true });
    await writeFile(join(prisma, "migrations", name, "migration.sql"), sql);
  }
  await writeFile(join(prisma, "schema.prisma"), 'datasource db {\n  provider = "postgresql"\n}\n');
  const both = await Promise.all([1, 2].map(() => migrate({ url: owner, directory: prisma })));
  expect(both.map((applied) => applied.length).sort()).toEqual([0, 3]);
});

test("one service's role cannot connect to another's database", async () => {
  const [ledger, payments] = [await provision(postgres.url, "ledger"), await provision(postgres.url, "payments")];
  const connect = async (url: string) => {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return "connected";
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end().catch(() => {});
    }
  };
  expect(await connect(ledger.service)).toBe("connected");
  const trespass = new URL(ledger.service);
  trespass.pathname = new URL(payments.service).pathname;
  expect(await connect(trespass.href)).toContain("permission denied for database");
  expect(await provision(postgres.url, "ledger")).toEqual(ledger);
});
