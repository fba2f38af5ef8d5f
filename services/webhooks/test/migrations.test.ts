import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createPool, type Pool, provision, transaction } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { directory } from "./service.ts";

const admin = process.env.TEST_DATABASE_URL ?? "";
const NAME = "webhooks_release_by_release";
let owner: Pool;
const connect = (url: string) =>
  createPool({ url, service: "webhooks", log: createLogger("webhooks", "silent"), max: 1 });
let migrations: { name: string; sql: string }[];

/** The schema of the release before replays, with rows that it wrote. */
const BEFORE = "20261121130000";
const WRITTEN = [
  "insert into endpoints (merchant_id, mode, url, secret) values ('mer_1', 'test', 'https://x', 'whsec')",
  `insert into events (merchant_id, mode, sequence, key, kind, reference, amount_kobo, body, delivery_number, created_at)
   select 'mer_1', 'test', n, 'k' || n, 'collection.success', 'col_' || n, 100, 'x', n, '2026-11-21T09:00:00Z' from generate_series(1, 2500) n`,
  `insert into deliveries (merchant_id, mode, sequence, url, status) select 'mer_1', 'test', n, 'https://x', 'delivered' from generate_series(1, 2500) n`,
];

beforeAll(async () => {
  const { owner: url } = await provision(admin, "webhooks", { database: NAME });
  owner = connect(url);
  const names = (await readdir(join(directory, "migrations"))).filter((name) => /^\d/.test(name)).sort();
  migrations = await Promise.all(
    names.map(async (name) => ({
      name,
      sql: await readFile(join(directory, "migrations", name, "migration.sql"), "utf8"),
    })),
  );
  for (const { sql } of migrations.filter(({ name }) => name < BEFORE)) await owner.query(sql);
  for (const sql of WRITTEN) await owner.query(sql);
});
afterAll(async () => {
  await owner?.end();
  const dropper = connect(admin);
  await dropper.query(`drop database if exists ${NAME} with (force)`);
  await dropper.end();
});

/** Tables older than this transaction that it blocks writes to and whose rows it has read or written. */
const HELD_AND_WALKED = `
  select distinct c.relname from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_xact_user_tables t on t.relid = c.oid
  where l.pid = pg_backend_pid() and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    and t.seq_tup_read + coalesce(t.idx_tup_fetch, 0) + t.n_tup_upd + t.n_tup_ins > 0`;

/** These cannot run in a transaction, and take no such lock. */
const runsOutsideTransaction = (sql: string) => /^create index concurrently|^do \$\$/m.test(sql);

test("no migration blocks writes to a table while it scans it, and rows of the previous release are backfilled", async () => {
  for (const { name, sql } of migrations.filter(({ name }) => name >= BEFORE)) {
    // Earlier reads and writes do not count.
    await owner.query("select pg_stat_force_next_flush()");
    if (runsOutsideTransaction(sql)) await owner.query(sql);
    else
      await transaction(owner, async (tx) => {
        await tx.query(sql);
        expect((await tx.query(HELD_AND_WALKED)).rows, name).toEqual([]);
      });
  }
  const { rows } = await owner.query(
    "select kind, created_at = '2026-11-21T09:00:00Z' as of_its_event, count(*)::integer from deliveries group by 1, 2",
  );
  expect(rows).toEqual([{ kind: "collection.success", of_its_event: true, count: 2500 }]);
  const { rows: unvalidated } = await owner.query("select conname from pg_constraint where not convalidated");
  const { rows: invalid } = await owner.query("select indexrelid::regclass from pg_index where not indisvalid");
  expect([...unvalidated, ...invalid]).toEqual([]);
});
