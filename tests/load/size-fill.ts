import { execFile } from "node:child_process";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { MONEY_SERVICES, type MoneyService } from "@collect/contracts";
import { addressOf, createPool, databaseOf, type Pool } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { startPostgres } from "@collect/servers";
import { type openPostgres, type Postgres, reopenPostgres } from "../stack/servers.ts";
import { copyTemplate } from "../stack/template.ts";
import { FILLS, type Size } from "./size-rows.ts";

/** What a server may do that is filled and then stopped. It is measured with other settings. */
const FILLING = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
  checkpoint_timeout: "1h",
  shared_buffers: "2GB",
  autovacuum: "off",
};
/** Of every connection: no triggers, and enough memory to sort an index. */
const SESSION = [
  "session_replication_role=replica",
  "synchronous_commit=off",
  "work_mem=64MB",
  "maintenance_work_mem=1GB",
];
const LIMITS = { statementMs: 3_600_000, lockMs: 10_000 };
/** A machine with less free disk is not filled further. */
const FREE_MIN_BYTES = 15e9;

/** Opens the server of a stack after filling its databases directly, in SQL. */
export async function openFilledPostgres(
  directory: string,
  { settings = {}, tree, size }: Parameters<typeof openPostgres>[1] & { size: Size },
): Promise<Postgres> {
  const cluster = join(directory, "postgres");
  await copyTemplate(cluster, tree);
  const server = await startPostgres({ directory: cluster, port: 0, settings: FILLING });
  try {
    await Promise.all(MONEY_SERVICES.map((service) => fill(server.url, { service, size, directory })));
  } finally {
    await server.stop();
  }
  // What the fill has left to the operating system must not be written while the path is measured.
  await promisify(execFile)("sync");
  return reopenPostgres(directory, settings);
}

async function fill(
  adminUrl: string,
  { service, size, directory }: { service: MoneyService; size: Size; directory: string },
): Promise<void> {
  const rows = FILLS[service];
  const say = stopwatch(service, size);
  const log = createLogger("bench", "silent");
  const url = addressOf(adminUrl, databaseOf(service));
  const pool = createPool({ url, service: "bench", log, max: 1, limits: LIMITS, settings: SESSION });
  try {
    const indexes = await dropIndexes(pool, rows.grown);
    for (const statement of rows.once(size)) await pool.query(statement);
    for (let day = 0; day < size.days; day++) {
      await assertRoom(directory);
      for (const statement of rows.day(size, day)) await pool.query(statement);
    }
    for (const statement of rows.finish(size)) await pool.query(statement);
    say("rows");
    for (const definition of indexes) {
      await assertRoom(directory);
      await pool.query(definition);
    }
    say("indexes");
    await pool.query("vacuum analyze");
    say("vacuum analyze");
  } finally {
    await pool.end();
  }
}

/** Those that belong to no constraint; returns their definitions. */
async function dropIndexes(pool: Pool, tables: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any($1::text[]::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await pool.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

async function assertRoom(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < FREE_MIN_BYTES) throw new Error("the disk is too full to go on: fewer collections are needed");
}

function stopwatch(service: string, { collections }: Size): (step: string) => void {
  let began = performance.now();
  return (step) => {
    const seconds = (performance.now() - began) / 1_000;
    if (collections > 0) console.log(`  ${service}: ${step} in ${seconds.toFixed(0)} s`);
    began = performance.now();
  };
}
