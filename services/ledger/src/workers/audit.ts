import { type Pool, type Transaction, transaction } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { type Difference, firstDistinct, STAGE_AFTER, type Stage, sumDifferences } from "../domain/proof.ts";
import {
  sumModes,
  type Walked,
  walkEntries,
  walkLedgerAccounts,
  walkSettlements,
  walkTransactions,
} from "../store/audit.ts";
import {
  type Cursor,
  continueRound,
  finishRound,
  storeRecent,
  storeSums,
  takeProgress,
} from "../store/audit-progress.ts";
import { proveRecent } from "../store/audit-transactions.ts";

/** How often the self-audit runs, its time budgets, and how many rows one transaction reads. */
export type Auditing = {
  everyMs: number;
  /** The time budgets for recent postings, until it has caught up, and for the round. */
  recentMs: number;
  workMs: number;
  chunkMax: number;
};

/** At one second of work in five it took a tenth of PostgreSQL's throughput at saturation; at a tenth of that it still proves a thousand entries a second. */
export const AUDITING: Auditing = { everyMs: 5_000, recentMs: 500, workMs: 100, chunkMax: 5_000 };

/**
 * The sums read every ledger account, so they are taken after a pause of so many times the last duration: they take a hundredth of the
 * time at most, whatever the number of replicas. Up to the longest pause, with which a proof is never as old as it may be (domain/proof.ts).
 */
const SUMS_PAUSES = 99;
const SUMS_PAUSE_MAX_MS = 30_000;

/**
 * Proves the ledger continuously and only reads its tables: on each run, if they are due, the sums of all balances, then the transactions posted
 * since the last run, and in rounds all entries, transactions, ledger accounts and settlements, chunk by chunk until the round
 * is complete or the time budget is spent.
 */
export function createAuditWorker({ pool, log, auditing }: { pool: Pool; log: Logger; auditing: Auditing }): Component {
  const alarm = (differences: Difference[]) => {
    if (differences.length > 0)
      log.error({ alarm: "ledger_differs", differences }, "the self-audit of the ledger found differences");
  };
  const proveSums = createSums();
  return interval({ name: "audit", everyMs: auditing.everyMs, log }, async (signal) => {
    const work = async (forMs: number, prove: (tx: Transaction) => Promise<Chunk>) => {
      const deadline = performance.now() + forMs;
      let hasNext = true;
      while (hasNext) {
        const chunk = await transaction(pool, prove);
        alarm(chunk.found);
        hasNext = chunk.hasNext && performance.now() < deadline && !signal.aborted;
      }
    };
    await work(0, proveSums);
    await work(auditing.recentMs, (tx) => proveNext(tx, auditing.chunkMax));
    await work(auditing.workMs, (tx) => proveChunk(tx, auditing.chunkMax));
  });
}

type Chunk = { found: Difference[]; hasNext: boolean };

/** Not if it lies ahead: the database's clock has gone back since. */
const isYounger = (ageS: number | null, ms: number) => ageS !== null && ageS >= 0 && ageS * 1_000 < ms;

/** Proves the sums of all balances, if the last ones of any replica are old enough. */
function createSums() {
  let pauseMs = 0;
  return async (tx: Transaction): Promise<Chunk> => {
    const progress = await takeProgress(tx);
    if (!progress || isYounger(progress.sums_age_s, pauseMs)) return { found: [], hasNext: false };
    const began = performance.now();
    const modes = await sumModes(tx);
    pauseMs = Math.min(SUMS_PAUSES * (performance.now() - began), SUMS_PAUSE_MAX_MS);
    await storeSums(tx, modes);
    return { found: sumDifferences(modes), hasNext: false };
  };
}

/** Proves recent postings. No chunk follows once it has caught up, or while another replica holds the progress. */
async function proveNext(tx: Transaction, chunkMax: number): Promise<Chunk> {
  const progress = await takeProgress(tx);
  if (!progress) return { found: [], hasNext: false };
  const { proven, differences: found, ...reached } = await proveRecent(tx, progress.recent_id, chunkMax);
  const hasNext = proven === chunkMax;
  await storeRecent(tx, {
    ...reached,
    hasNext,
    differences: firstDistinct([...progress.recent_differences, ...found]),
  });
  return { found, hasNext };
}

/** Proves the next chunk of the round. No chunk follows at its end, or while another replica holds the progress. */
async function proveChunk(tx: Transaction, chunkMax: number): Promise<Chunk> {
  const progress = await takeProgress(tx);
  if (!progress) return { found: [], hasNext: false };
  const { proven, differences: found, ...reached } = await WALKS[progress.stage](tx, progress, chunkMax);
  const round = {
    ...progress,
    ...reached,
    this_round: progress.this_round + (progress.stage === "entries" ? BigInt(proven) : 0n),
    differences: firstDistinct([...progress.differences, ...found]),
  };
  const stage = proven < chunkMax ? STAGE_AFTER[progress.stage] : progress.stage;
  if (stage) await continueRound(tx, { ...round, stage });
  else await finishRound(tx, round);
  return { found, hasNext: stage !== null };
}

const WALKS: Record<Stage, (tx: Transaction, from: Cursor, chunkMax: number) => Promise<Walked>> = {
  entries: walkEntries,
  transactions: walkTransactions,
  ledger_accounts: walkLedgerAccounts,
  settlements: walkSettlements,
};
