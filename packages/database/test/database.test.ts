import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@collect/runtime";
import { openWire, type PostgresServer, startPostgres, type Wire } from "@collect/servers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  columns,
  createPool,
  createPools,
  digestOf,
  isTransient,
  KEY_LOOKUPS_ONLY,
  type Pool,
  sessionSettings,
  statement,
  TIGHT,
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
  test("a row is returned in wire format: bigint kobo, times with an offset", async () => {
    const rows = [{ id: "a", amount: 9_007_199_254_740_993n, at }];
    await transaction(pool, (tx) => insert(tx, columns(rows, "id", "amount", "at")));
    expect(await read(pool, [["a"]])).toEqual(rows);
  });

  test("a transaction that throws is rolled back, and its connection is reused", async () => {
    const failing = transaction(pool, async (tx) => {
      await insert(tx, [["b"], [1n], [at]]);
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    await expect(transaction(pool, (tx) => insert(tx, [["a"], [1n], [at]]))).rejects.toMatchObject({ code: "23505" });
    expect(await read(pool, [["b"]])).toEqual([]);
  });

  test("a connection that is lost in a transaction is discarded with a transient error, and the pool keeps working", async () => {
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

describe("a connection that has gone silent", () => {
  /** A pool whose client times out shortly after its server would. */
  async function behindWire(): Promise<{ wire: Wire; pool: Pool }> {
    const wire = await openWire(postgres.url);
    const limits = { statementMs: 300, lockMs: 100 };
    const own = createPool({ url: wire.url, service: "test", log, max: 1, limits });
    onTestFinished(async () => {
      await wire.close();
      await own.end();
    });
    return { wire, pool: own };
  }

  test("fails its statement with a transient error and is destroyed; the next statement uses another", async () => {
    const { wire, pool } = await behindWire();
    await pool.query("select 1");
    expect(wire.silence()).toBe(1);
    const error = await pool.query("select 2").catch((failure) => failure);
    expect([error.code, isTransient(error)]).toEqual(["ETIMEDOUT", true]);
    expect((await pool.query("select 3 as n")).rows).toEqual([{ n: 3 }]);
    expect(wire.open()).toBe(1);
  });

  test("fails a transaction with that error; its rollback does not wait, and its locks are soon released", async () => {
    const { wire, pool } = await behindWire();
    const error = await transaction(pool, async (tx) => {
      await insert(tx, [["silent"], [1n], [at]]);
      wire.silence();
      await insert(tx, [["silent too"], [1n], [at]]);
    }).catch((failure) => failure);
    expect([error.code, isTransient(error)]).toEqual(["ETIMEDOUT", true]);
    expect(pool.totalCount).toBe(0);
    await expect.poll(() => wire.open()).toBe(0);
    await expect
      .poll(() => transaction(pool, (tx) => insert(tx, [["silent"], [1n], [at]])).then(() => "stored", String), {
        timeout: 10_000,
      })
      .toBe("stored");
  });

  test("is not one whose server is still working, which times out with the server's own error", async () => {
    const { pool: limited } = await behindWire();
    const slow = await limited.query("select pg_sleep(5)").catch((failure) => failure);
    expect([slow.code, isTransient(slow)]).toEqual(["57014", true]);
    await transaction(pool, async (tx) => {
      await tx.query("lock table amounts");
      const waiting = await limited.query("select from amounts").catch((failure) => failure);
      expect([waiting.code, isTransient(waiting)]).toEqual(["55P03", true]);
    });
  });

  test("that only reads, as one that is not promoted yet, fails a write with a transient error", async () => {
    const url = new URL(postgres.url);
    url.searchParams.set("options", "-c default_transaction_read_only=on");
    const reading = createPool({ url: url.href, service: "test", log });
    onTestFinished(() => reading.end());
    const error = await insert(reading, [["unwritten"], [1n], [at]]).catch((failure) => failure);
    expect([error.code, isTransient(error)]).toEqual(["25006", true]);
    const write = transaction(reading, (tx) => insert(tx, [["unwritten"], [1n], [at]]));
    await expect(write).rejects.toMatchObject({ code: "25006" });
    expect(reading.totalCount).toBe(0);
  });

  test("times out already while connecting, if the server accepts connections and never responds", async () => {
    const { wire, pool } = await behindWire();
    wire.silenceNew(true);
    const error = await pool.query("select 1").catch((failure) => failure);
    expect(isTransient(error)).toBe(true);
    wire.silenceNew(false);
    expect((await pool.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
  });
});

test.each([
  [Object.assign(new Error("deadlock"), { code: "40P01" }), true],
  [Object.assign(new Error("shutting down"), { code: "57P01" }), true],
  [Object.assign(new Error("read-only"), { code: "25006" }), true],
  [Object.assign(new Error("idle in a transaction"), { code: "25P03" }), true],
  [Object.assign(new Error("connect"), { code: "ECONNREFUSED" }), true],
  [Object.assign(new Error("cannot reach"), { code: "P1001" }), true],
  [new Error("Connection terminated unexpectedly"), true],
  [new Error("wrapped", { cause: Object.assign(new Error("too many"), { code: "53300" }) }), true],
  [Object.assign(new Error("duplicate key"), { code: "23505" }), false],
  [Object.assign(new Error("out of range"), { code: "22003" }), false],
  [Object.assign(new Error("permission denied"), { code: "42501" }), false],
  [new Error("a repeat with another amount"), false],
  ["not even an error", false],
])("whether %s is transient: %s", (error, passes) => expect(isTransient(error)).toBe(passes));

test("the scale multiplies the size of a pool, and leaves at least one connection", () => {
  const sized = (max: number, scale: number) =>
    createPool({ url: postgres.url, scale, service: "test", log: log, max }).options.max;
  expect([sized(4, 1), sized(3, 2), sized(3, 0.5), sized(1, 0.5)]).toEqual([4, 6, 2, 1]);
});

test("a connection through a pooler is used only if it has every setting that a direct one gets", async () => {
  const through = async (settings: string[]) => {
    const url = new URL(postgres.url);
    url.searchParams.set("options", settings.map((setting) => `-c ${setting}`).join(" "));
    const pooled = createPool({
      url: url.href,
      isPooled: true,
      service: "test",
      log,
      limits: TIGHT,
      settings: KEY_LOOKUPS_ONLY,
    });
    onTestFinished(() => pooled.end());
    return (await pooled.query("select 1 as n")).rows;
  };
  const all = sessionSettings(TIGHT, KEY_LOOKUPS_ONLY);
  expect(await through(all)).toEqual([{ n: 1 }]);
  for (const setting of ["statement_timeout=5000", "lock_timeout=1000", "enable_seqscan=off"])
    await expect(through(all.filter((each) => each !== setting))).rejects.toThrow(
      `the pooler's connections lack ${setting}`,
    );
});

test("through a pooler, test and live do not share connections; lists and workers go past it", async () => {
  const pooler = "postgresql://collect_ledger_a:s%2Ft@pgbouncer:6432/collect_ledger";
  const { path, requests, lists, workers } = createPools({ url: postgres.url, pooler, service: "test", log });
  const urlOf = ({ options }: Pool) => options.connectionString;
  expect([path.live, requests.live].map(urlOf)).toEqual([pooler, pooler]);
  expect([path.test, requests.test].map(urlOf)).toEqual([`${pooler}_test`, `${pooler}_test`]);
  expect([lists.live, lists.test, workers].map(urlOf)).toEqual(Array(3).fill(postgres.url));
});

test("a digest is the same on every server and in every version, so services agree during an upgrade", async () => {
  const of = (...fields: string[]) =>
    pool.query(`select ${digestOf(...fields)}::text as digest`).then(({ rows }) => rows[0].digest);
  expect(await of("'int_1'", "null", "900::bigint")).toBe("5336845975925487056");
  expect(await of("'int_1'", "''", "900::numeric")).toBe(await of("'int_1'", "null", "900::bigint"));
  expect(await of("'int_1'", "900::bigint", "null")).not.toBe(await of("'int_1'", "null", "900::bigint"));
});
