import type { Mode } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { createGroupCommit, type Logger, withBackOff } from "@collect/runtime";
import type { AttemptResult, Job } from "../domain/job.ts";
import { storeResults } from "../store/deliveries.ts";
import { LIMITS } from "./dispatcher.ts";

export type Results = {
  /** Stores the result of an attempt, many in one commit. One that cannot be stored before the lease ends is dropped: the delivery is sent once more. */
  store(job: Job, result: AttemptResult): Promise<void>;
  /** Whether more results wait for the database than `unstoredMax`. */
  areTooMany(): boolean;
};

const RESULTS_PER_COMMIT = 512;

type Storing = { unstoredMax: number; resultsApartMs: number };

/** The results of one mode's attempts on their way to the database. */
export function createResults(
  mode: Mode,
  { pool, log, sending, signal }: { pool: Pool; log: Logger; sending: Storing; signal: AbortSignal },
): Results {
  const { unstoredMax, resultsApartMs: apartMs } = sending;
  let unstored = 0;
  const commit = createGroupCommit<AttemptResult, void>({
    name: `results.${mode}`,
    commit: async (results) => {
      await storeResults(pool, results);
      return results.map(() => undefined);
    },
    batchMax: RESULTS_PER_COMMIT,
    apartMs,
    queueMax: unstoredMax + LIMITS[mode].runningMax,
    refuse: () => new Error("too many results are waiting for the database"),
  });

  async function commitWithinLease(job: Job, result: AttemptResult): Promise<void> {
    try {
      await commit(result);
    } catch (error) {
      log.warn({ delivery: job.number.toString(), err: error }, "the result cannot be stored yet");
      const left = AbortSignal.timeout(Math.max(0, Math.round(job.leaseEndsAt - performance.now())));
      await withBackOff(() => commit(result), { signal: AbortSignal.any([signal, left]), onFailure: () => {} });
    }
  }

  return {
    areTooMany: () => unstored > unstoredMax,
    async store(job, result) {
      unstored++;
      await commitWithinLease(job, result).finally(() => unstored--);
      log.info(logFieldsOf(job, result), "attempt");
    },
  };
}

const logFieldsOf = (job: Job, { status, error, outcome, durationMs }: AttemptResult) => ({
  delivery: job.number.toString(),
  merchant_id: job.merchantId,
  mode: job.mode,
  attempt: job.attempt,
  status,
  error,
  outcome,
  duration_ms: durationMs,
});
