import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { NO_FILTERS, withEngine } from "./migrate.ts";

/**
 * The differences between a service's migrated database and its `schema.prisma`: columns with their types, keys and indexes,
 * foreign keys. Empty when they match. Partial indexes, those with a collation of
 * their own, checks, triggers and privileges exist only in the migrations.
 * The declared schema is created next to the real one in a transaction that is rolled back (`url` must be the owner's).
 */
export async function schemaDifference(options: { url: string; directory: string }): Promise<string[]> {
  const path = join(options.directory, "schema.prisma");
  const content = await readFile(path, "utf8");
  const { stdout } = await withEngine(options.url, content, (engine) =>
    engine.diff({
      from: { tag: "empty" },
      to: { tag: "schemaDatamodel", files: [{ path, content }] },
      script: true,
      shadowDatabaseUrl: null,
      exitCode: null,
      filters: NO_FILTERS,
    }),
  );
  const client = new pg.Client({ connectionString: options.url });
  await client.connect();
  try {
    await client.query("begin");
    await client.query(`create schema ${DECLARED}`);
    await client.query(`set local search_path = ${DECLARED}`);
    await client.query((stdout ?? "").replace(/create schema if not exists "public";/i, ""));
    const [migrated, declared] = [await describe(client, "public"), await describe(client, DECLARED)];
    return [
      ...[...migrated].filter((line) => !declared.has(line)).map((line) => `only in the migrations: ${line}`),
      ...[...declared].filter((line) => !migrated.has(line)).map((line) => `only in schema.prisma: ${line}`),
    ];
  } finally {
    await client.end();
  }
}

const DECLARED = "declared_schema";

const DESCRIBE = `
  select format('column %s.%s %s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' else '' end) as line
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = $1::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and c.relname <> '_prisma_migrations'
  union all
  select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = $1::regnamespace and i.indpred is null and pg_get_indexdef(i.indexrelid) not like '% COLLATE %' and c.relname <> '_prisma_migrations'
  union all
  select format('foreign key of %s: %s', conrelid::regclass, pg_get_constraintdef(k.oid)) from pg_constraint k
  where k.connamespace = $1::regnamespace and k.contype = 'f'`;

async function describe(client: pg.Client, schema: string): Promise<Set<string>> {
  const { rows } = await client.query<{ line: string }>(DESCRIBE, [schema]);
  return new Set(rows.map(({ line }) => line.replaceAll(`${schema}.`, "")));
}
