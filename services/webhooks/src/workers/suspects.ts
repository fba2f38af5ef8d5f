import type { Mode } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { failpoint, type Logger } from "@collect/runtime";
import { FAILURES_MAX, isRefusal, probeWait } from "../domain/hold.ts";
import type { AttemptResult, Job } from "../domain/job.ts";
import type { Schedule } from "../domain/schedule.ts";
import { beginHolds, type Failing } from "../store/holds.ts";

/** Endpoints whose failures in a row are counted. */
const RUNS_MAX = 10_000;

type Deps = {
  mode: Mode;
  pool: Pool;
  log: Logger;
  schedule: Schedule;
  withdraw(merchantId: string): Job[];
  enqueue(jobs: Job[]): void;
  release(jobs: Job[]): void;
  wake(): void;
};

/**
 * The endpoints of one mode at which attempts of this process fail in a row. Once they are too many, what waits for the endpoint
 * is withheld until the database, which knows all processes, has decided whether it is held.
 */
export function createSuspects({ mode, pool, log, schedule, withdraw, enqueue, release, wake }: Deps) {
  const runs = new Map<string, Failing & { failures: number }>();
  const suspects = new Map<string, Failing & { jobs: Job[] }>();

  function failed(merchantId: string, startedAt: string): void {
    const run = runs.get(merchantId) ?? { merchantId, mode, since: startedAt, failures: 0 };
    run.failures++;
    const [longest] = runs.keys();
    if (longest !== undefined && runs.size >= RUNS_MAX) runs.delete(longest);
    runs.set(merchantId, run);
    if (run.failures < FAILURES_MAX) return;
    const jobs = suspects.get(merchantId)?.jobs ?? [];
    jobs.push(...withdraw(merchantId));
    suspects.set(merchantId, { merchantId, mode, since: run.since, jobs });
    wake();
  }

  function clear(merchantId: string): Job[] {
    runs.delete(merchantId);
    const jobs = suspects.get(merchantId)?.jobs ?? [];
    suspects.delete(merchantId);
    return jobs;
  }

  /** It acknowledges events, here or elsewhere, or has only this one. */
  const acquit = (merchantId: string) => enqueue(clear(merchantId));

  return {
    observe({ merchantId, onEnd }: Job, { outcome, startedAt, status }: AttemptResult): void {
      if (outcome === "delivered" || isRefusal(status)) acquit(merchantId);
      // What fails in a batch is counted by its hold.
      else if (!onEnd) failed(merchantId, startedAt);
    },
    async judge(): Promise<void> {
      const judged = [...suspects.values()];
      if (judged.length === 0) return;
      // With a test clock the same test has its probes at the same times.
      const random = mode === "test" ? 0.5 : Math.random();
      const firstProbeInMs = probeWait({ probes: 0, retryAfterMs: undefined }, schedule, random);
      const held = await beginHolds(pool, judged, firstProbeInMs);
      failpoint("committed");
      for (const { merchant_id } of held) {
        release([...clear(merchant_id), ...withdraw(merchant_id)]);
        log.info({ merchant_id, mode, state: "held" }, "hold");
      }
      for (const { merchantId } of judged) acquit(merchantId);
    },
    /** The jobs that wait for a decision. */
    drain: (): Job[] => [...suspects.values()].flatMap(({ jobs }) => jobs.splice(0)),
  };
}
