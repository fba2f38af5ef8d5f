import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVICES, type ServiceName } from "@collect/contracts";
import { addressOf, databaseOf, migrate, provision } from "@collect/database";
import { type PostgresServer, startPostgres } from "@collect/servers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

/** From this migration on every table may be large, and in use by the previous release. */
const SINCE = "20261121130000";

let directory: string;
let postgres: PostgresServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "collect-migrations-"));
  postgres = await startPostgres({ directory, port: 0, settings: { fsync: "off" } });
});
afterAll(async () => {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

const prismaOf = (service: ServiceName) => join(import.meta.dirname, "../services", service, "prisma");

/** The statements of each migration. Those of a function's body belong to the statement that creates it. */
async function statementsOf(service: ServiceName): Promise<[name: string, statements: string[]][]> {
  const folder = join(prismaOf(service), "migrations");
  const names = (await readdir(folder)).filter((name) => /^\d/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = (await readFile(join(folder, name, "migration.sql"), "utf8"))
        .replaceAll(/--.*$/gm, "")
        .replaceAll(/\$\$.*?\$\$/gs, "''");
      return [name, sql.split(";").filter((text) => text.trim() !== "")];
    }),
  );
}

/** Indexes of tables that the migration does not create itself, and constraints that it reads a table for. */
function needsToBeAlone(statements: string[]): string[] {
  const created = new Set(statements.map((text) => /create (?:unlogged )?table (\w+)/.exec(text)?.[1]));
  return statements.filter((text) => {
    const table = /create (?:unique )?index.* on (\w+)/s.exec(text)?.[1];
    return table ? !created.has(table) : /drop index|validate constraint/.test(text);
  });
}

describe.each(SERVICES)("the migrations of %s", (service) => {
  test("create and drop indexes alone and concurrently, and validate constraints apart from other changes", async () => {
    const migrations = (await statementsOf(service)).filter(([name]) => name > SINCE);
    for (const [name, statements] of migrations) {
      const alone = needsToBeAlone(statements);
      if (alone.length === 0) continue;
      const validations = alone.filter((text) => text.includes("validate constraint"));
      expect([name, statements.length], name).toEqual([name, Math.max(1, validations.length)]);
      for (const text of alone) expect(text, name).toMatch(/(index concurrently|validate constraint)/);
    }
    expect(migrations.length).toBeGreaterThan(0);
  });

  test("rewrite no table, and leave every index valid", async () => {
    const { owner } = await provision(postgres.url, service);
    // Only a superuser can watch for rewrites; the migrations themselves run as the owner, who is none.
    const client = new pg.Client({ connectionString: addressOf(postgres.url, databaseOf(service)) });
    onTestFinished(() => client.end());
    await client.connect();
    await client.query(`
      create schema watched;
      create function watched.refuse() returns event_trigger language plpgsql as $$ begin
        raise exception 'rewrites %, and nothing can read it meanwhile', pg_event_trigger_table_rewrite_oid()::regclass;
      end $$;
      create event trigger no_rewrites on table_rewrite execute function watched.refuse()`);
    const applied = await migrate({ url: owner, directory: prismaOf(service) });
    expect(applied).toHaveLength((await statementsOf(service)).length);
    expect(await migrate({ url: owner, directory: prismaOf(service) })).toEqual([]);
    const { rows } = await client.query(
      "select indexrelid::regclass::text from pg_index where not indisvalid or not indisready",
    );
    expect(rows).toEqual([]);
  });
});
