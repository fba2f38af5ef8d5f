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

test("api_keys, which every call reads, is altered by migrations that do nothing else, and checked in later ones", async () => {
  const folder = join(DIRECTORY, "migrations");
  const names = (await readdir(folder)).filter((name) => /^\d/.test(name) && !name.endsWith("_init"));
  const scripts = await Promise.all(names.map((name) => readFile(join(folder, name, "migration.sql"), "utf8")));
  const locking = scripts
    .map((sql) => sql.replace(/^\s*--.*$/gm, "").trim())
    .filter((sql) => sql.includes("alter table api_keys"));
  expect(locking).toHaveLength(3);
  for (const sql of locking) {
    expect(sql).toMatch(/^alter table api_keys\s[^;]*;$/);
    // A constraint is added without reading the table, which is read under a weaker lock when it is validated.
    const [added, notRead] = [/add constraint/g, /not valid/g].map((pattern) => sql.match(pattern)?.length ?? 0);
    expect(notRead, sql).toBe(added);
  }
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

test("a restricted key has a name and known scopes, other keys have none, and no two active ones have the same name", async () => {
  await world.pool.query("insert into merchants (id, name) values ('mer_2', 'Ada')");
  const insert = (kind: string, name: string | null, scopes: string[] | null, addresses: string[] | null = null) =>
    world.pool.query(
      `insert into api_keys (merchant_id, mode, kind, hash, last_four, name, scopes, addresses)
       values ('mer_2', 'test', $1, sha256(gen_random_uuid()::text::bytea), 'abcd', $2, $3, $4)`,
      [kind, name, scopes, addresses],
    );
  const rule = "only_restricted_keys_have_scopes";
  await expect(insert("restricted", null, ["balance"])).rejects.toThrow(rule);
  await expect(insert("restricted", "ERP", null)).rejects.toThrow(rule);
  await expect(insert("restricted", "ERP", [])).rejects.toThrow(rule);
  await expect(insert("secret", "ERP", ["balance"])).rejects.toThrow(rule);
  await expect(insert("secret", null, null, ["10.0.0.0/8"])).rejects.toThrow(rule);
  await expect(insert("restricted", "ERP", ["everything"])).rejects.toThrow("known_scopes");
  expect((await insert("restricted", "ERP", ["balance"])).rowCount).toBe(1);
  await expect(insert("restricted", "ERP", ["accounts"])).rejects.toThrow("api_keys_active_name_key");
  await world.pool.query("update api_keys set expires_at = clock_timestamp() where name = 'ERP'");
  expect((await insert("restricted", "ERP", ["accounts"])).rowCount).toBe(1);
});
