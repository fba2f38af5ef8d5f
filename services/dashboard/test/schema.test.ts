import { schemaDifference } from "@collect/database";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DIRECTORY, openDashboardWorld } from "./dashboard.ts";

let world: World;
beforeAll(async () => {
  world = await openDashboardWorld();
});
afterAll(() => world.close());

test("the migrations match the schema", async () => {
  expect(await schemaDifference({ url: world.database.owner, directory: DIRECTORY })).toEqual([]);
});

test("the service can neither change nor delete audit entries, nor delete users, nor change the tables", async () => {
  await world.owner.query("insert into businesses (id, name) values ('mer_1', 'Ada')");
  await world.pool.query(
    "insert into audit_log (merchant_id, action, request_id) values ('mer_1', 'key.rolled', 'r1')",
  );
  for (const change of [
    "delete from audit_log",
    "truncate audit_log",
    "update audit_log set action = 'nothing'",
    "update audit_log set detail = '{}'",
    "update audit_log set at = now()",
    "delete from users",
    "delete from businesses",
    "alter table users drop column email",
    "create table x ()",
  ])
    await expect(world.pool.query(change), change).rejects.toThrow(/permission denied|must be owner/);
});

test("an outcome is recorded once and cannot be changed", async () => {
  const told = await world.pool.query("update audit_log set outcome = 'refused' where outcome = 'unknown'");
  expect(told.rowCount).toBe(1);
  for (const pool of [world.pool, world.owner])
    await expect(pool.query("update audit_log set outcome = 'done'")).rejects.toThrow("is known");
});

test("a token cannot be stored in plain text, nor an email address that is not normalized", async () => {
  await world.owner.query("insert into users (id, name, email) values ('u1', 'Ada', 'ada@example.com')");
  await expect(
    world.pool.query(
      "insert into sign_in_links (token_hash, user_id, expires_at) values ('the token itself', 'u1', now())",
    ),
  ).rejects.toThrow("check constraint");
  await expect(
    world.pool.query("insert into users (id, name, email) values ('u2', 'Ada', 'Ada@example.com')"),
  ).rejects.toThrow("check constraint");
});
