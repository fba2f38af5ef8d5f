import { type Pool, type Transaction, transaction } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { type Difference, type ModeSum, named, STAGE_AFTER, type Stage, sumDifferences } from "../domain/proof.ts";
import {
  sumModes,
  type Walked,
  walkEntries,
  walkLedgerAccounts,
  walkSettlements,
  walkTransactions,
} from "../store/audit.ts";
import { type Cursor, continueRound, finishRound, storeRecent, takeProgress } from "../store/audit-progress.ts";
import { proveRecent } from "../store/audit-transactions.ts";

/** How often the ledger proves something of itself, how long it works on it then, and how many rows a transaction reads. */
export type Auditing = {
  everyMs: number;
  /** On what was posted last, while that is not caught up with, and on the round. */
  recentMs: number;
  workMs: number;
  chunkMax: number;
};

/** At a second of work in five it took a tenth of what PostgreSQL does at saturation; at a tenth it still proves a thousand entries a second. */
export const AUDITING: Auditing = { everyMs: 5_000, recentMs: 500, workMs: 100, chunkMax: 5_000 };

/**
 * Proves the ledger all the time, and only reads its books: the sums of all balances each time, then what was posted since
 * the last time, and in rounds all entries, transactions, ledger accounts and settlements, chunk by chunk until the round is
 * over or the time is spent.
 */
export function createAuditWorker({ pool, log, auditing }: { pool: Pool; log: Logger; auditing: Auditing }): Component {
  const alarm = (differences: Difference[]) => {
    if (differences.length > 0) log.error({ alarm: "ledger_differs", differences }, "the ledger does not hold");
  };
  return interval({ name: "audit", everyMs: auditing.everyMs, log }, async (signal) => {
    const modes = await sumModes(pool);
    alarm(sumDifferences(modes));
    const work = async (forMs: number, prove: (tx: Transaction) => Promise<Chunk>) => {
      const spentAt = performance.now() + forMs;
      let goesOn = true;
      while (goesOn) {
        const chunk = await transaction(pool, prove);
        alarm(chunk.found);
        goesOn = chunk.hasNext && performance.now() < spentAt && !signal.aborted;
      }
    };
    await work(auditing.recentMs, (tx) => proveNext(tx, auditing.chunkMax));
    await work(auditing.workMs, (tx) => proveChunk(tx, { modes, chunkMax: auditing.chunkMax }));
  });
}

type Chunk = { found: Difference[]; hasNext: boolean };

/** Proves what was posted since the last time. None follows once all of it is, or while another replica is at it. */
async function proveNext(tx: Transaction, chunkMax: number): Promise<Chunk> {
  const progress = await takeProgress(tx);
  if (!progress) return { found: [], hasNext: false };
  const { proven, differences: found, ...reached } = await proveRecent(tx, progress.recent_id, chunkMax);
  const hasNext = proven === chunkMax;
  await storeRecent(tx, { ...reached, hasNext, differences: named([...progress.recent_differences, ...found]) });
  return { found, hasNext };
}

/** Proves what comes next in the round. None follows at the end of it, or while another replica is at it. */
async function proveChunk(
  tx: Transaction,
  { modes, chunkMax }: { modes: ModeSum[]; chunkMax: number },
): Promise<Chunk> {
  const progress = await takeProgress(tx);
  if (!progress) return { found: [], hasNext: false };
  const { proven, differences: found, ...reached } = await WALKS[progress.stage](tx, progress, chunkMax);
  const round = {
    ...progress,
    ...reached,
    modes,
    this_round: progress.this_round + (progress.stage === "entries" ? BigInt(proven) : 0n),
    differences: named([...progress.differences, ...found]),
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
