import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { BANK_MOVEMENTS_PAGE, listBankMovements, listOutboundTransfers } from "@collect/contracts";
import { addressOf, createPool, migrate, openLogin, type Pool, provision, transaction } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { incoming, type Movement, outgoing } from "@collect/statements/src/domain/movements.ts";
import { setBankAccount } from "@collect/statements/src/store/bank-accounts.ts";
import { putPart } from "@collect/statements/src/store/files.ts";
import { storeMovements } from "@collect/statements/src/store/movements.ts";
import { importFile } from "@collect/statements/src/use-cases/import-file.ts";
import { ACCOUNT, fileOf } from "@collect/statements/test/files.ts";
import { BANK, CHARGE_WORDS, type Month, makeMonth } from "@collect/statements/test/month.ts";
import { stackLogin } from "../stack/plans.ts";

export type StatementFigures = {
  lines: number;
  importedPerSecond: number;
  /** Movements of which accounts and payments report. */
  storedPerSecond: number;
  matchedPerSecond: number;
  /** The largest resident size of a process that does nothing but match all of them, and of one that has nothing to match. */
  matchingMb: number;
  idleMb: number;
};

export const statementRows = (figures: StatementFigures | undefined): [what: string, value: number, unit: string][] =>
  figures
    ? [
        ["lines imported from files", figures.importedPerSecond, "/s"],
        ["movements stored", figures.storedPerSecond, "/s"],
        ["lines matched", figures.matchedPerSecond, "/s"],
        ["memory of matching", figures.matchingMb, " MB"],
        ["with nothing to match", figures.idleMb, " MB"],
      ]
    : [];

const PRISMA = join(import.meta.dirname, "../../services/statements/prisma");
const MATCHING = join(import.meta.dirname, "statements-matching.ts");

/** A month with so many collections: its files imported, what is known of it stored, and all of it matched in one go. */
export async function measureStatements(admin: string, collections: number): Promise<StatementFigures> {
  const { owner } = await provision(admin, "statements", { database: "statements_bench" });
  const login = stackLogin("statements");
  await openLogin(admin, "statements", login);
  await migrate({ url: owner, directory: PRISMA });
  const url = addressOf(admin, "statements_bench", login);
  const pool = createPool({ url, service: "bench", log: createLogger("bench", "silent") });
  try {
    await setBankAccount(pool, {
      number: ACCOUNT,
      bank: BANK,
      pays_out: true,
      charge_words: CHARGE_WORDS,
      mapping: null,
    });
    const idle = await matchAll(url);
    const month = makeMonth({ seed: 5, collections });
    const importing = await secondsOf(() => importMonth(pool, month));
    const movements = movementsOf(month);
    const storing = await secondsOf(() => storeAll(pool, movements));
    const matching = await matchAll(url);
    const lines = await assertFound(pool, month);
    return {
      lines,
      importedPerSecond: lines / importing,
      storedPerSecond: movements.length / storing,
      matchedPerSecond: lines / matching.seconds,
      ...{ matchingMb: matching.maxMb, idleMb: idle.maxMb },
    };
  } finally {
    await pool.end();
  }
}

async function importMonth(pool: Pool, { days }: Month): Promise<void> {
  for (const day of days) {
    const bytes = Buffer.from(fileOf("mt940", [day]));
    const hash = createHash("sha256").update(bytes).digest("hex");
    await putPart(pool, { hash, part: 1, data: bytes.toString("base64"), by: "bench" });
    await importFile(pool, { hash, parts: 1, name: day.day }, "bench");
  }
}

const movementsOf = ({ incoming: reported, payouts }: Month): Movement[] => [
  ...listBankMovements.output.parse({ rows: reported }).rows.flatMap(incoming),
  ...listOutboundTransfers.output.parse({ rows: payouts, next: null }).rows.flatMap(outgoing),
];

async function storeAll(pool: Pool, movements: Movement[]): Promise<void> {
  for (let start = 0; start < movements.length; start += BANK_MOVEMENTS_PAGE) {
    const page = movements.slice(start, start + BANK_MOVEMENTS_PAGE);
    await transaction(pool, (tx) => storeMovements(tx, page));
  }
}

/** In a process of its own, whose memory is that of matching. */
async function matchAll(url: string): Promise<{ seconds: number; maxMb: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, [MATCHING, url, ACCOUNT]);
  return JSON.parse(stdout);
}

/** Every line that was planted without a counterpart is open, and no other. Returns the number of all lines. */
async function assertFound(pool: Pool, { planted }: Month): Promise<number> {
  const { rows } = await pool.query(
    "select count(*)::integer as lines, (count(*) - count(match_id))::integer as open from lines",
  );
  const expected = planted.filter(({ class: kind }) => kind === "bank_only" || kind === "charge").length;
  if (rows[0].open !== expected) throw new Error(`${rows[0].open} lines are in no match, and ${expected} were planted`);
  return rows[0].lines;
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}
