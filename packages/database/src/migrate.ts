import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { MigrationBlocked, type Patience, runScript } from "./migration-script.ts";

/**
 * Applies the `migrations` of a service's `prisma` folder (`directory`) as the owner of its database, with Prisma's own engine, compiled to WebAssembly:
 * the same table and checksums as `prisma migrate deploy`, which remains usable where its native engine can be downloaded.
 * Safe to run concurrently, and beside services and long transactions. Returns the names of the migrations that it applied.
 */
export async function migrate(options: { url: string; directory: string } & Patience): Promise<string[]> {
  const migrations = await readMigrations(join(options.directory, "migrations"));
  const lock = new pg.Client({ connectionString: options.url });
  await lock.connect();
  try {
    await takeTurn(lock);
    if (await isUpToDate(lock, migrations)) {
      await showApplied(lock);
      return [];
    }
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
    const applied = await withEngine(
      options.url,
      schema,
      (engine) => engine.applyMigrations({ migrationsList, filters: NO_FILTERS }),
      options,
    );
    await showApplied(lock);
    return applied.appliedMigrationNames;
  } catch (error) {
    throw await withName(lock, error);
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

/**
 * The error with the names of the database and the migration. One that was blocked left nothing behind, so its attempt is
 * forgotten: otherwise the engine would refuse to go on (P3009) until an operator has decided about it.
 */
async function withName(lock: pg.Client, error: unknown): Promise<Error> {
  const unfinished = "from _prisma_migrations where finished_at is null and rolled_back_at is null";
  const named = "current_database() || ', ' || migration_name as name";
  const { rows } = await lock.query(
    error instanceof MigrationBlocked ? `delete ${unfinished} returning ${named}` : `select ${named} ${unfinished}`,
  );
  return new Error(`${rows[0]?.name ?? "migrations"}: ${error instanceof Error ? error.message : error}`, {
    cause: error,
  });
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

/**
 * Lets the service see which migrations are applied, on which its readiness depends. Only it may connect to its database, and the
 * names are in the source; what a failed script reported is not shown.
 */
async function showApplied(client: pg.Client): Promise<void> {
  await client.query("grant select (migration_name, finished_at, rolled_back_at) on _prisma_migrations to public");
}

/** Runs the work with an engine that has its own connections, which are closed afterwards. */
export async function withEngine<Result>(
  url: string,
  schema: string,
  work: (engine: SchemaEngine) => Promise<Result>,
  patience: Patience = {},
): Promise<Result> {
  bindings ??= loadBindings();
  const { SchemaEngine } = await bindings;
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  let cause: unknown;
  const execute = (script: string) =>
    runScript(pool, script, patience).catch((error) => {
      cause = error;
      throw error;
    });
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(withWholeScripts(new PrismaPg(pool), execute));
    return await work(await SchemaEngine.new({ datamodels: [["schema.prisma", schema]] }, () => {}, adapter));
  } catch (error) {
    // The engine's own error says only which migration failed.
    throw cause ?? error;
  } finally {
    await pool.end();
  }
}

/** The adapter splits scripts at every semicolon, inside functions too. */
function withWholeScripts(factory: PrismaPg, execute: (script: string) => Promise<void>): PrismaPg {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => Object.assign(await connect(), { executeScript: execute });
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
