import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { schemaDifference } from "@collect/database";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DIRECTORY, openGatewayWorld } from "./gateway.ts";

let world: World;
beforeAll(async () => {
  world = await openGatewayWorld();
});
afterAll(() => world.close());

test("the migrations create what the schema declares", async () => {
  expect(await schemaDifference({ url: world.database.owner, directory: DIRECTORY })).toEqual([]);
});

test("a column of api_keys, which every call reads, is added by a migration that does nothing else", async () => {
  const folder = join(DIRECTORY, "migrations");
  const names = (await readdir(folder)).filter((name) => /^\d/.test(name) && !name.endsWith("_init"));
  const scripts = await Promise.all(names.map((name) => readFile(join(folder, name, "migration.sql"), "utf8")));
  const locking = scripts
    .map((sql) => sql.replace(/^\s*--.*$/gm, "").trim())
    .filter((sql) => sql.includes("alter table api_keys"));
  expect(locking).toEqual(["alter table api_keys add column last_used_at timestamptz(3);"]);
});

test("the service can neither delete a merchant, a key or a count, nor alter the tables", async () => {
  for (const change of [
    "delete from api_keys",
    "delete from merchants",
    "delete from rate_limit_cells",
    "truncate api_keys",
  ])
    await expect(world.pool.query(change)).rejects.toThrow("permission denied");
  await expect(world.pool.query("alter table api_keys drop column hash")).rejects.toThrow("must be owner");
  await expect(world.pool.query("create table x ()")).rejects.toThrow("permission denied");
});

const insertKey = (mode: string, kind: string, clear: string | null) =>
  world.pool.query(
    `insert into api_keys (merchant_id, mode, kind, hash, last_four, public_key)
     values ('mer_1', $1, $2, sha256(gen_random_uuid()::text::bytea), 'abcd', $3)`,
    [mode, kind, clear],
  );

test("a secret key cannot be stored in clear, nor a live key for a merchant that is not verified", async () => {
  await world.pool.query("insert into merchants (id, name) values ('mer_1', 'Ada')");
  await expect(insertKey("test", "secret", "sk_test_clear")).rejects.toThrow("only_public_keys_in_clear");
  await expect(insertKey("live", "secret", null)).rejects.toThrow("merchant mer_1 is not verified");
  await world.pool.query("update merchants set verified_at = clock_timestamp() where id = 'mer_1'");
  for (const mode of ["test", "live"]) expect((await insertKey(mode, "secret", null)).rowCount).toBe(1);
  expect((await insertKey("live", "public", "pk_live_clear")).rowCount).toBe(1);
});
