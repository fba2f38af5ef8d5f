import type { Epochs } from "@collect/bus";
import type { Mode } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { failpoint, type Logger, type Progress } from "@collect/runtime";
import { afterBatch, FAILURES_MAX, type Hold, probeWait } from "../domain/hold.ts";
import type { AttemptResult, Job } from "../domain/job.ts";
import type { Schedule } from "../domain/schedule.ts";
import { moveToCurrentUrl } from "../store/deliveries.ts";
import { claimBatches, claimBeside, finishBatch, type HeldDelivery, reviveExhausted } from "../store/hold-batches.ts";
import { adoptHeld, beginHolds, type Failing, findSilent, hurryProbe, type Scope } from "../store/holds.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { jobOf } from "./poller.ts";

type Deps = {
  mode: Mode;
  pool: Pool;
  log: Logger;
  epochs: Epochs;
  schedule: Schedule;
  leaseMs: number;
  /** How often it looks for what other processes did. */
  pollMs: number;
  dispatcher: Pick<Dispatcher, "capacity" | "withdraw">;
  enqueue(jobs: Job[]): void;
  /** Returns deliveries without an attempt. */
  release(jobs: Job[]): Promise<void>;
  inBackground(work: Promise<void>): void;
  /** Aborted on shutdown, when attempts that still run are left to their lease. */
  cut: AbortSignal;
  wake(): void;
};

/** Endpoints whose failures in a row are counted. */
const RUNS_MAX = 10_000;
/** The second probe, and each one after it, also tries another event. */
const ANOTHER_FROM_PROBE = 1;

/** Notices endpoints of one mode that fail, probes them, and releases what was held (domain/hold.ts). */
export function createHolds(deps: Deps) {
  const { mode, pool, log, schedule, leaseMs, pollMs, dispatcher } = deps;
  const runs = new Map<string, Failing & { failures: number }>();
  /** Those of them that are to be held, with the jobs that wait until it is known whether they are. */
  const suspects = new Map<string, Failing & { jobs: Job[] }>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  function suspect({ merchantId, mode, since }: Failing): void {
    const jobs = suspects.get(merchantId)?.jobs ?? [];
    jobs.push(...dispatcher.withdraw({ merchantId, mode }));
    suspects.set(merchantId, { merchantId, mode, since, jobs });
    deps.wake();
  }

  /** It acknowledges events, here or elsewhere, or has only this one. */
  function acquit(merchantId: string): void {
    runs.delete(merchantId);
    const jobs = suspects.get(merchantId)?.jobs ?? [];
    suspects.delete(merchantId);
    if (jobs.length > 0) deps.enqueue(jobs);
  }

  async function begin(): Promise<void> {
    if (suspects.size === 0) return;
    const judged = [...suspects.values()];
    const firstProbeInMs = probeWait({ probes: 0, retryAfterMs: undefined }, schedule, Math.random());
    const silent = await beginHolds(pool, judged, firstProbeInMs);
    failpoint("committed");
    for (const { merchant_id } of withdraw(silent)) {
      const jobs = suspects.get(merchant_id)?.jobs ?? [];
      suspects.delete(merchant_id);
      runs.delete(merchant_id);
      if (jobs.length > 0) deps.inBackground(deps.release(jobs));
      log.info({ merchant_id, mode, state: "held" }, "an endpoint is held");
    }
    for (const { merchantId } of judged) acquit(merchantId);
  }

  /** What waits in memory for these endpoints is sent only by their batches. */
  function withdraw(silent: Scope[]): Scope[] {
    const jobs = silent.flatMap(({ merchant_id: merchantId }) => dispatcher.withdraw({ merchantId, mode }));
    if (jobs.length > 0) deps.inBackground(deps.release(jobs));
    return silent;
  }

  async function look(): Promise<void> {
    if (performance.now() - lookedAt < pollMs) return;
    lookedAt = performance.now();
    await adoptHeld(pool, mode);
    const { queues } = dispatcher.capacity();
    if (queues.length > 0) withdraw(await findSilent(pool, queues));
  }

  return {
    /** Counts the attempts that fail in a row. */
    observe(job: Job, { outcome, startedAt }: AttemptResult): void {
      const { merchantId } = job;
      if (outcome === "delivered") {
        acquit(merchantId);
        if (job.kind === "webhook.test") deps.inBackground(probeSoon(deps, merchantId));
        return;
      }
      const run = runs.get(merchantId) ?? { merchantId, mode, since: startedAt, failures: 0 };
      run.failures++;
      if (runs.size < RUNS_MAX) runs.set(merchantId, run);
      if (run.failures < FAILURES_MAX || job.onEnd) return;
      suspect(run);
    },
    /** The jobs that wait for a decision. */
    drain: (): Job[] => [...suspects.values()].flatMap(({ jobs }) => jobs.splice(0)),
    async poll(progress: Progress): Promise<number> {
      await begin();
      await look();
      progress.stepped();
      if (dispatcher.capacity().full) return 0;
      // Computed before the statement, so that our view of the lease ends before the database's.
      const leaseEndsAt = performance.now() + leaseMs;
      const claimed = await claimBatches(pool, { mode, leaseMs });
      const batches = Map.groupBy(claimed, ({ merchant_id }) => merchant_id);
      for (const batch of batches.values())
        deps.inBackground(
          sendBatch(deps, batch, leaseEndsAt).catch((error) =>
            log.warn({ mode, err: error }, "a batch of held deliveries waits for the end of its lease"),
          ),
        );
      return batches.size;
    },
  };
}

async function probeSoon({ pool, mode, log }: Deps, id: string): Promise<void> {
  await hurryProbe(pool, { id, mode }).catch((err) => log.warn({ err }, "the endpoint is probed by its schedule"));
}

/** Sends a batch and stores what follows from it. A process that dies here leaves its leases, after which another begins again. */
async function sendBatch(deps: Deps, batch: HeldDelivery[], leaseEndsAt: number): Promise<void> {
  const { pool, log, epochs, schedule, mode } = deps;
  const [first] = batch;
  if (!first) return;
  const { merchant_id, batch: number, batch_size, idle_ms, ...stored } = first;
  const hold: Hold = { state: stored.state, batchSize: batch_size, probes: stored.probes, rate: stored.rate };
  const started = performance.now();

  const moved = batch.filter(({ url, current_url }) => url !== current_url).map((delivery) => delivery.number);
  // As for due deliveries: a database that may have lost numbers assigns none.
  if (moved.length > 0 && epochs.isCurrent()) await moveToCurrentUrl(pool, moved);
  const jobs = batch.filter(({ url, current_url }) => url === current_url).map((due) => jobOf(due, leaseEndsAt));
  const results = await attemptAll(deps, jobs);
  if (mayBeRefused(hold, results)) results.push(...(await attemptAnother(deps, first, leaseEndsAt)));

  const failed = results.filter(({ outcome }) => outcome !== "delivered");
  const ended = {
    acknowledged: results.length - failed.length,
    failed: failed.length,
    moved: moved.length,
    elapsedMs: idle_ms + performance.now() - started,
    retryAfterMs: Math.max(0, ...failed.map(({ retryAfterMs }) => retryAfterMs ?? 0)),
  };
  const { waitMs, ...next } = afterBatch(hold, ended, schedule, Math.random());
  const refused = failed.flatMap(({ number, retryInMs }) => (retryInMs === null ? [] : [{ number, retryInMs }]));
  if (hold.state === "held" && next.state === "releasing") await reviveExhausted(pool, { id: merchant_id, mode });
  await finishBatch(pool, { merchant_id, mode, batch: number, ...next, waitMs, refused });
  failpoint("committed");
  if (next.state !== hold.state) log.info({ merchant_id, mode, state: next.state }, "an endpoint is held");
  deps.wake();
}

/**
 * The oldest event was answered with an error: its server may refuse that event only, and another one tells the difference. Without
 * a response the endpoint is away, and the oldest goes first when it is back.
 */
function mayBeRefused({ state, probes }: Hold, results: AttemptResult[]): boolean {
  return (
    state === "held" &&
    probes >= ANOTHER_FROM_PROBE &&
    results.some(({ outcome, status }) => outcome !== "delivered" && status !== null)
  );
}

async function attemptAnother(deps: Deps, probe: HeldDelivery, leaseEndsAt: number): Promise<AttemptResult[]> {
  const another = await claimBeside(deps.pool, probe, deps.leaseMs);
  const jobs = another.filter(({ url, current_url }) => url === current_url).map((due) => jobOf(due, leaseEndsAt));
  return attemptAll(deps, jobs);
}

async function attemptAll({ enqueue, cut }: Deps, jobs: Job[]): Promise<AttemptResult[]> {
  const ends = jobs.map((job) => {
    const { promise, resolve } = Promise.withResolvers<AttemptResult | undefined>();
    return { promise, job: { ...job, onEnd: resolve } };
  });
  enqueue(ends.map(({ job }) => job));
  const results = await untilCut(Promise.all(ends.map(({ promise }) => promise)), cut);
  return results.filter((result) => result !== undefined);
}

async function untilCut<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new Error("the process stops"));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", abort));
}
