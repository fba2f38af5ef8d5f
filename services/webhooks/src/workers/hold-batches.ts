import type { Epochs } from "@collect/bus";
import type { Mode } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { failpoint, type Logger } from "@collect/runtime";
import { afterBatch, type BatchResult, type Hold, isRefusal } from "../domain/hold.ts";
import type { AttemptResult, Job } from "../domain/job.ts";
import { repeatable, type Schedule } from "../domain/schedule.ts";
import type { DueDelivery } from "../store/claiming.ts";
import { moveToCurrentUrl } from "../store/deliveries.ts";
import { claimBeside, finishBatch, type HeldDelivery, reviveExhausted } from "../store/hold-batches.ts";
import { jobOf } from "./poller.ts";
import type { Opener } from "./unopened.ts";

/** What sends a batch: the sender of its mode. */
export type BatchDeps = {
  mode: Mode;
  pool: Pool;
  log: Logger;
  epochs: Epochs;
  opener: Opener;
  sending: { schedule: Schedule; leaseMs: number };
  enqueue(jobs: Job[]): void;
  /** Returns deliveries without an attempt. */
  release(jobs: Job[]): Promise<void>;
  /** Aborted on shutdown, when attempts that still run are left to their lease. */
  cut: AbortSignal;
};

/** The second probe, and each one after it, also tries another event. */
const ANOTHER_FROM_PROBE = 1;

/**
 * Sends a batch and stores what follows from it. A process that dies here leaves its leases, after which another begins again; so
 * does one that cannot decrypt the endpoint's secret.
 */
export async function sendBatch(deps: BatchDeps, batch: HeldDelivery[], leaseEndsAt: number): Promise<void> {
  const { pool, log, epochs, sending, mode } = deps;
  const [first] = batch;
  if (!first || (first.current_url !== null && !deps.opener.open(jobOf(first, leaseEndsAt)))) return;
  const { merchant_id, batch: number, state, probes, rate } = first;
  const hold: Hold = { state, batchSize: first.batch_size, probes, rate, rateOverMs: first.rate_over_ms };
  const moved = batch.filter(({ url, current_url }) => url !== current_url).map((delivery) => delivery.number);
  // As for due deliveries: a database that may have lost numbers assigns none.
  if (moved.length > 0 && epochs.isCurrent()) await moveToCurrentUrl(pool, moved);
  const { results, unattempted } = await attempt(deps, batch, leaseEndsAt);
  if (mayBeRefused(hold, results)) {
    const another = await claimBeside(pool, { ...first, isNewest: hold.probes % 2 === 1 }, sending.leaseMs);
    results.push(...(await attempt(deps, another, leaseEndsAt)).results);
  }

  // Taken at the same point of each batch, so that the time between two contains all of one.
  const finishedAt = new Date();
  const failed = results.filter(({ outcome }) => outcome !== "delivered");
  const ended = {
    acknowledged: results.length - failed.length,
    failed: failed.length,
    refused: failed.filter(({ status }) => isRefusal(status)).length,
    unattempted,
    moved: moved.length,
    elapsedMs: finishedAt.getTime() - Date.parse(first.finished_at),
    retryAfterMs: Math.max(0, ...failed.map(({ retryAfterMs }) => retryAfterMs ?? 0)),
  } satisfies BatchResult;
  const random = mode === "test" ? repeatable({ sequence: first.sequence, attempt: first.attempt }) : Math.random();
  const { waitMs, ...next } = afterBatch(hold, ended, sending.schedule, random);
  const refused = failed.flatMap(({ number, retryInMs }) => (retryInMs === null ? [] : [{ number, retryInMs }]));
  if (hold.state === "held" && next.state === "releasing") await reviveExhausted(pool, { id: merchant_id, mode });
  const attempted = results.length > 0;
  await finishBatch(pool, { merchant_id, mode, batch: number, ...next, waitMs, attempted, finishedAt, refused });
  failpoint("committed");
  if (next.state !== hold.state) log.info({ merchant_id, mode, state: next.state }, "hold");
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

/** Attempts the deliveries to the current URL. Those that this process cannot attempt in time are returned at once. */
async function attempt(deps: BatchDeps, due: DueDelivery[], leaseEndsAt: number) {
  const jobs = due
    .filter(({ url, current_url }) => url === current_url)
    .map((delivery) => ({ ...jobOf(delivery, leaseEndsAt), end: Promise.withResolvers<AttemptResult | undefined>() }));
  deps.enqueue(jobs.map(({ end, ...job }) => ({ ...job, onEnd: end.resolve })));
  const results = await untilCut(Promise.all(jobs.map(({ end }) => end.promise)), deps.cut);
  const unattempted = jobs.filter((_, at) => results[at] === undefined);
  if (unattempted.length > 0) await deps.release(unattempted);
  return { results: results.filter((result) => result !== undefined), unattempted: unattempted.length };
}

async function untilCut<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new Error("the process stops"));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", abort));
}
