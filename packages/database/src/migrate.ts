import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import pg from "pg";

/**
 * Applies the `migrations` of a service's `prisma` folder (`directory`) as the owner of its database, with Prisma's own engine, compiled to WebAssembly:
 * the same table and checksums as `prisma migrate deploy`, which remains usable where its native engine can be downloaded.
 * Safe to run concurrently. Returns the names of the migrations that it applied.
 */
export async function migrate(options: { url: string; directory: string }): Promise<string[]> {
  const migrations = await readMigrations(join(options.directory, "migrations"));
  const lock = new pg.Client({ connectionString: options.url });
  await lock.connect();
  try {
    await takeTurn(lock);
    if (await isUpToDate(lock, migrations)) return [];
    const schema = await readFile(join(options.directory, "schema.prisma"), "utf8");
    const migrationsList = {
      baseDir: join(options.directory, "migrations"),
      lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
      shadowDbInitScript: "",
      migrationDirectories: migrations.map(({ name, sql }) => ({
        path: name,
        migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
      })),
    };
    const applied = await withEngine(options.url, schema, (engine) =>
      engine.applyMigrations({ migrationsList, filters: NO_FILTERS }),
    );
    return applied.appliedMigrationNames;
  } finally {
    await lock.end();
  }
}

/** This package's types are those of Node, which do not declare the APIs that it shares with browsers. */
declare const WebAssembly: {
  instantiate(binary: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

export const NO_FILTERS = { externalTables: [], externalEnums: [] };
type Migration = { name: string; sql: string };

async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => ({ name, sql: await readFile(join(directory, name, "migration.sql"), "utf8") })),
  );
}

const ASK_EVERY_MS = 100;

/**
 * Only one process migrates at a time. The lock is polled, because a statement that waits for it holds a snapshot, and the
 * `create index concurrently` of the migrating process would wait for that snapshot in turn.
 */
async function takeTurn(lock: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await lock.query("select pg_try_advisory_lock(hashtext('collect.migrate')) as is_ours");
    if (rows[0]?.is_ours) return;
    await sleep(ASK_EVERY_MS);
  }
}

/** Saves starting the engine (about 100 ms) in the usual case, when there is nothing to apply. */
async function isUpToDate(client: pg.Client, migrations: Migration[]): Promise<boolean> {
  const { rows: tables } = await client.query("select to_regclass('_prisma_migrations') is not null as there");
  if (!tables[0].there) return false;
  const { rows } = await client.query(
    "select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null",
  );
  const applied = new Set(rows.map((row) => row.migration_name));
  return migrations.every(({ name }) => applied.has(name));
}

/** Runs the work with an engine that has its own connections, which are closed afterwards. */
export async function withEngine<Result>(
  url: string,
  schema: string,
  work: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  bindings ??= loadBindings();
  const { SchemaEngine } = await bindings;
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(withWholeScripts(new PrismaPg(pool), pool));
    return await work(await SchemaEngine.new({ datamodels: [["schema.prisma", schema]] }, () => {}, adapter));
  } finally {
    await pool.end();
  }
}

/** The adapter splits scripts at every semicolon, inside functions too. Sent as one query, a migration is atomic. */
function withWholeScripts(factory: PrismaPg, pool: pg.Pool): PrismaPg {
  const connect = factory.connect.bind(factory);
  factory.connect = async () =>
    Object.assign(await connect(), { executeScript: async (script: string) => void (await pool.query(script)) });
  return factory;
}

type Bindings = { SchemaEngine: { new: (options: object, log: () => void, adapter: object) => Promise<SchemaEngine> } };
let bindings: Promise<Bindings> | undefined;

/** The engine has one memory per process, so it can be instantiated only once. */
async function loadBindings(): Promise<Bindings> {
  const module = "@prisma/schema-engine-wasm/schema_engine_bg";
  const glue = await import(module);
  const folder = dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const binary = await readFile(join(folder, "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(binary, { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return glue;
}

/** The part of the engine that is used here; its package has no types. */
type SchemaEngine = {
  applyMigrations(input: object): Promise<{ appliedMigrationNames: string[] }>;
  diff(input: object): Promise<{ stdout: string | null }>;
};
