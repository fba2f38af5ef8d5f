import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { compare } from "@collect/accounts/src/workers/compare.ts";
import { addressOf, databaseOf, transaction } from "@collect/database";
import { walkEntries, walkLedgerAccounts, walkSettlements, walkTransactions } from "@collect/ledger/src/store/audit.ts";
import type { Cursor } from "@collect/ledger/src/store/audit-progress.ts";
import { AUDITING } from "@collect/ledger/src/workers/audit.ts";
import { createLogger } from "@collect/runtime";
import pg from "pg";
import type { Stack } from "../stack.ts";
import type { Size } from "./size-rows.ts";

/** What is done with full databases beside the path: each timed while nothing else happens. */

/** Rows without a difference, and how long it took on one connection without a pause. */
export type ComparedFigures = { rows: number; seconds: number };
export type Vacuumed = { service: string; table: string; dead: number; seconds: number };
export type BackupFigures = { bytes: number; seconds: number };

const WALKS = [walkEntries, walkTransactions, walkLedgerAccounts, walkSettlements];

/** A whole round of the ledger's proof, with its own statements. Throws if there is a difference. */
export async function proveLedger(stack: Stack): Promise<ComparedFigures> {
  const pool = stack.database("ledger");
  const { chunkMax } = AUDITING;
  let cursor: Cursor = {
    account_id: "",
    account_version: 0n,
    transaction_id: 0n,
    ledger_account_id: "",
    settlement: "",
  };
  let rows = 0;
  const began = performance.now();
  for (const walk of WALKS) {
    let proven = chunkMax;
    while (proven >= chunkMax) {
      const walked = await transaction(pool, (tx) => walk(tx, cursor, chunkMax));
      assertNone(walked.differences);
      ({ proven } = walked);
      cursor = { ...cursor, ...walked };
      rows += proven;
    }
  }
  return { rows, seconds: secondsSince(began) };
}

/** Every collection that was filled, in the records of all four services, a day at a time. Throws if they differ. */
export async function compareHistory({ database, bus }: Stack, size: Size): Promise<ComparedFigures> {
  const deps = { pool: database("accounts"), bus, log: createLogger("bench", "silent") };
  const began = performance.now();
  for (let day = 0; day < size.days; day++) {
    const from = new Date(size.firstMidnight.getTime() + day * DAY_MS);
    const { differences } = await compare(deps, { from, to: new Date(from.getTime() + DAY_MS) });
    assertNone(differences);
  }
  return { rows: size.collections, seconds: secondsSince(began) };
}
const DAY_MS = 86_400_000;

/** A hundredth of the rows again, in the tables whose rows the path changes, wherever they are. */
const CHANGES = {
  accounts: { table: "inbound_transfers", set: "drives = drives", where: "sequence % 100 = 0" },
  webhooks: { table: "deliveries", set: "attempts = attempts", where: "number % 100 = 0" },
} as const;

/** Each row that died costs a read of every index. */
export async function vacuum({ adminUrl }: Stack): Promise<Vacuumed[]> {
  const vacuumed: Vacuumed[] = [];
  for (const service of ["accounts", "webhooks"] as const)
    await asAdmin(addressOf(adminUrl, databaseOf(service)), async (client) => {
      const { table, set, where } = CHANGES[service];
      const { rowCount } = await client.query(`update ${table} set ${set} where ${where}`);
      const began = performance.now();
      await client.query(`vacuum (index_cleanup on) ${table}`);
      vacuumed.push({ service, table, dead: rowCount ?? 0, seconds: secondsSince(began) });
    });
  return vacuumed;
}

/** Reads a base backup of the server, as it is taken while it runs, without storing it. */
export async function copyServer({ adminUrl }: Stack, directory: string): Promise<BackupFigures> {
  const began = performance.now();
  const bytes = await asAdmin(adminUrl, async (client) => {
    await client.query("select pg_backup_start('size', fast => true)");
    const archived = await sizeOfArchive(join(directory, "postgres/data"));
    await client.query("select pg_backup_stop(wait_for_archive => false)");
    return archived;
  });
  return { bytes, seconds: secondsSince(began) };
}

/** One connection without a time limit. */
async function asAdmin<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** tar ends with 1 when a file changed while it was read, which the WAL makes good. */
async function sizeOfArchive(directory: string): Promise<number> {
  const tar = spawn("tar", ["-c", "-C", directory, "--exclude=./pg_wal/*", "."], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let bytes = 0;
  tar.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const [code] = await once(tar, "close");
  if (code > 1) throw new Error(`tar ended with ${code}`);
  return bytes;
}

function assertNone(differences: unknown[]): void {
  if (differences.length > 0) throw new Error(`the self-audit found ${JSON.stringify(differences.slice(0, 3))}`);
}

const secondsSince = (began: number) => (performance.now() - began) / 1_000;
