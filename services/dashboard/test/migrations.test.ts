import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createPool, migrate, provision } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { expect, onTestFinished, test } from "vitest";
import { DIRECTORY } from "./dashboard.ts";

/** A database of the release whose last migration this was, and its owner's connections. */
async function aDatabaseAsOf(last: string) {
  const admin = process.env.TEST_DATABASE_URL ?? "";
  const database = `test_upgrade_${randomBytes(6).toString("hex")}`;
  const { owner } = await provision(admin, "dashboard", { database });
  const former = await mkdtemp(join(tmpdir(), "collect-upgrade-"));
  const isFormer = (path: string) => !/^\d{14}_/.test(basename(path)) || basename(path) <= last;
  await cp(DIRECTORY, former, { recursive: true, filter: isFormer });
  await migrate({ url: owner, directory: former });
  const pool = createPool({ url: owner, service: "upgrade", log: createLogger("upgrade", "silent") });
  onTestFinished(async () => {
    await pool.end();
    await rm(former, { recursive: true });
    const server = createPool({ url: admin, service: "upgrade", log: createLogger("upgrade", "silent") });
    await server.query(`drop database ${database} with (force)`);
    await server.end();
  });
  return { owner, pool };
}

test("rows of the previous release get what this one needs: a key each, and the second factor that their users gave", async () => {
  const { owner, pool } = await aDatabaseAsOf("20261122100000_init");
  await pool.query(`
    insert into businesses (id, name) values ('mer_1', 'Ada');
    insert into audit_log (merchant_id, action, outcome, request_id)
      select 'mer_1', 'key.rolled', case when n % 2 = 0 then 'done' else 'unknown' end, 'r' || n from generate_series(1, 2500) as n;
    insert into users (id, name, email, two_factor_enabled) values ('with', 'Ada', 'ada@example.com', true), ('without', 'Obi', 'obi@example.com', false);
    insert into sessions (id, token, user_id, expires_at) select id, id, id, now() + interval '1 day' from users`);
  await migrate({ url: owner, directory: DIRECTORY });
  const rows = await pool.query("select count(*)::int as all, count(distinct key)::int as keys from audit_log");
  expect(rows.rows).toEqual([{ all: 2500, keys: 2500 }]);
  await expect(pool.query("update audit_log set key = null")).rejects.toThrow("not-null");
  const sessions = await pool.query(
    "select id, second_factor, last_used_at between now() - interval '1 hour' and now() as used from sessions order by id",
  );
  expect(sessions.rows).toEqual([
    { id: "with", second_factor: true, used: true },
    { id: "without", second_factor: false, used: true },
  ]);
});
