import type { Progress } from "@collect/runtime";
import type { AttemptResult, Job } from "../domain/job.ts";
import { claimBatches } from "../store/hold-batches.ts";
import { adoptHeld, findSilent, hurryProbe } from "../store/holds.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { type BatchDeps, sendBatch } from "./hold-batches.ts";
import { createPoller } from "./poller.ts";
import { createSuspects } from "./suspects.ts";

type Deps = BatchDeps & {
  /** `pollMs`: how often it looks for what other processes did. */
  sending: { pollMs: number };
  dispatcher: Pick<Dispatcher, "capacity" | "withdraw">;
  inBackground(work: Promise<void>): void;
};

/** Notices endpoints of one mode that fail, probes them, and releases what was held (domain/hold.ts). */
export function createHolds(deps: Deps) {
  const { mode, pool, log, epochs, sending, dispatcher, enqueue, inBackground } = deps;
  const withdraw = (merchantId: string) => dispatcher.withdraw({ merchantId, mode });
  const release = (jobs: Job[]) => {
    if (jobs.length > 0) inBackground(deps.release(jobs));
  };
  const poller = createPoller({ name: `holds.${mode}`, pollMs: sending.pollMs, log, poll });
  const { schedule } = sending;
  const suspects = createSuspects({ mode, pool, log, schedule, withdraw, enqueue, release, wake: poller.wake });
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** What waits in memory for an endpoint that is held or paused is sent only by its batches. */
  async function look(): Promise<void> {
    if (performance.now() - lookedAt < sending.pollMs) return;
    lookedAt = performance.now();
    await adoptHeld(pool, mode);
    const { queues } = dispatcher.capacity();
    const silent = queues.length > 0 ? await findSilent(pool, queues) : [];
    release(silent.flatMap(({ merchant_id }) => withdraw(merchant_id)));
  }

  async function poll(progress: Progress): Promise<number> {
    await suspects.judge();
    await look();
    progress.stepped();
    if (dispatcher.capacity().full || !epochs.isCurrent()) return 0;
    // Computed before the statement, so that our view of the lease ends before the database's.
    const leaseEndsAt = performance.now() + sending.leaseMs;
    const claimed = await claimBatches(pool, { mode, leaseMs: sending.leaseMs });
    const batches = Map.groupBy(claimed, ({ merchant_id }) => merchant_id);
    for (const batch of batches.values()) {
      const sent = sendBatch(deps, batch, leaseEndsAt).then(poller.wake, (err) =>
        log.warn({ mode, err }, "a batch of held deliveries waits for the end of its lease"),
      );
      inBackground(sent);
    }
    return batches.size;
  }

  const probeNow = (id: string) =>
    hurryProbe(pool, { id, mode }).catch((err) => log.warn({ err }, "the endpoint is probed by its schedule"));

  return {
    ...poller,
    drain: suspects.drain,
    observe(job: Job, result: AttemptResult): void {
      suspects.observe(job, result);
      if (job.kind === "webhook.test" && result.outcome === "delivered") inBackground(probeNow(job.merchantId));
    },
  };
}
