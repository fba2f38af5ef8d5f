import { type Pool, type Transaction, transaction } from "@collect/database";
import { every, type Logger, type Part } from "@collect/runtime";
import { type Difference, named, sumDifferences } from "../domain/proof.ts";
import { accountsApart, continueRound, finishRound, sumModes, takeProgress, walkEntries } from "../store/audit.ts";

/** How often the ledger proves something of itself, and how many entries at a time. */
export type Auditing = { everyMs: number; chunkMax: number };

export const AUDITING: Auditing = { everyMs: 5_000, chunkMax: 5_000 };

/**
 * Proves the ledger all the time, and only reads its books: the sums of all balances each time, the entries and their
 * transactions in turn, and at the end of each round through them every ledger account against its last entry.
 */
export function createAuditWorker({ pool, log, auditing }: { pool: Pool; log: Logger; auditing: Auditing }): Part {
  return every({ name: "audit", everyMs: auditing.everyMs, log }, async () => {
    const differences = await transaction(pool, (tx) => proveOn(tx, auditing.chunkMax));
    if (differences.length > 0) log.error({ alarm: "ledger_differs", differences }, "the ledger does not hold");
  });
}

/** Proves what comes next, unless another replica is at it, and gives what does not hold. */
async function proveOn(tx: Transaction, chunkMax: number): Promise<Difference[]> {
  const progress = await takeProgress(tx);
  if (!progress) return [];
  const modes = await sumModes(tx);
  const walked = await walkEntries(tx, progress, chunkMax);
  const isLast = walked.proven < chunkMax;
  const found = [...walked.differences, ...(isLast ? await accountsApart(tx) : [])];
  const round = {
    modes,
    this_round: progress.this_round + BigInt(walked.proven),
    differences: named([...progress.differences, ...found]),
  };
  if (isLast || walked.account_id === null || walked.account_version === null) await finishRound(tx, round);
  else await continueRound(tx, { ...round, account_id: walked.account_id, account_version: walked.account_version });
  return named([...sumDifferences(modes), ...found]);
}
