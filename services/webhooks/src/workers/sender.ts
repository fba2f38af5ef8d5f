import type { Epochs } from "@collect/bus";
import type { Mode } from "@collect/contracts";
import { type ByMode, byMode, type Pool } from "@collect/database";
import { atMost, type Component, type Logger } from "@collect/runtime";
import type { Span } from "@collect/telemetry";
import type { MerchantServers } from "../adapters/merchant-server.ts";
import type { Job } from "../domain/job.ts";
import { SCHEDULE, type Schedule } from "../domain/schedule.ts";
import { releaseDeliveries } from "../store/deliveries.ts";
import type { SealedSecrets } from "../use-cases/sealed-secrets.ts";
import { makeAttempt } from "./attempt.ts";
import { createClaims } from "./claims.ts";
import { createDispatcher, LIMITS } from "./dispatcher.ts";
import { createHolds } from "./holds.ts";
import { createPoller, pollDue } from "./poller.ts";
import type { Outcome } from "./queues.ts";
import { createResults } from "./results.ts";
import { describeResult, inAttempt } from "./traced.ts";
import { createOpener } from "./unopened.ts";

export type Sending = {
  schedule: Schedule;
  /** One attempt, from the DNS lookup to the end of the response. */
  deadlineMs: number;
  /** How long a claim is exclusive. After that any replica's poller claims the deliveries of a crashed process. */
  leaseMs: number;
  pollMs: number;
  /**
   * The maximum number of results of a mode that wait for the database while attempts continue. Above it an attempt keeps its
   * slot until its result is stored: merchants' servers may be faster than the database, and memory stays bounded.
   */
  unstoredMax: number;
  /** The least time between two commits of results. Slots do not wait for them; the next batch of a held endpoint does. */
  resultsApartMs: number;
  /** How long nothing more of a merchant is claimed whose secret cannot be decrypted, and that is not logged again. */
  unopenedPauseMs: number;
};

export const SENDING: Sending = {
  schedule: SCHEDULE,
  deadlineMs: 15_000,
  leaseMs: 60_000,
  pollMs: 1_000,
  unstoredMax: 2_048,
  resultsApartMs: 100,
  unopenedPauseMs: 60_000,
};

/** The time reserved to store a result between an attempt's deadline and the end of its lease. */
const STORE_WITHIN_MS = 5_000;
/** The grace period for running attempts on shutdown; attempts that take longer are repeated after their lease. */
const STOP_WITHIN_MS = 5_000;

export type Sender = Component & {
  /** Enqueues deliveries that this process has just recorded and claimed. Those that exceed the capacity are released. */
  enqueue(jobs: Job[]): void;
  /** Deliveries of this mode are due: claim them without waiting for the next poll. */
  wake(mode: Mode): void;
};

type ModeSender = Omit<Sender, "wake"> & { wake(): void };

type Deps = { log: Logger; servers: MerchantServers; secrets: SealedSecrets; sending: Sending; epochs: Epochs };

/** Each mode has its own sender, with its own connections and slots. */
export function createSender({ pools, ...deps }: Deps & { pools: ByMode<Pool> }): Sender {
  const { live, test } = byMode({ live: "live", test: "test" } as const, (mode) =>
    createModeSender(mode, { ...deps, pool: pools[mode] }),
  );
  return {
    name: "sender",
    enqueue(jobs) {
      live.enqueue(jobs.filter(({ mode }) => mode === "live"));
      test.enqueue(jobs.filter(({ mode }) => mode === "test"));
    },
    wake: (mode) => ({ live, test })[mode].wake(),
    start: async () => void (await Promise.all([live.start(), test.start()])),
    async stop() {
      await Promise.all([live.stop(), test.stop()]);
      await deps.servers.close();
    },
  };
}

/** Claim, release, call, record: no row is locked and no transaction is open while a merchant's server is called. */
function createModeSender(mode: Mode, deps: Deps & { pool: Pool }): ModeSender {
  const { pool, log, servers, secrets, sending, epochs } = deps;
  const stopping = new AbortController();
  const cut = new AbortController();
  const background = createBackground();
  const results = createResults(mode, { pool, log, sending, signal: stopping.signal });
  const attempt = (job: Job) => inAttempt(job, perform);
  const dispatcher = createDispatcher({ limits: LIMITS[mode], perform: attempt, onCapacity: () => poller.wake() });
  const { pollMs, leaseMs, unopenedPauseMs: pauseMs } = sending;
  const opener = createOpener({ secrets, log, pauseMs });
  const claim = createClaims({ pool, mode, leaseMs, pollMs });
  const due = { ...deps, leaseMs, capacity: () => opener.within(dispatcher.capacity()), claim, take: enqueue };
  const poller = createPoller({ name: `deliveries.${mode}`, pollMs, log, poll: (progress) => pollDue(due, progress) });
  const release = (jobs: Job[]) => releaseJobs(deps, jobs);
  const inBackground = background.add;
  const holds = createHolds({ ...deps, mode, opener, dispatcher, enqueue, release, inBackground, cut: cut.signal });

  /** The slot is free once the merchant's server has responded; the result is stored in the background, unless too many are waiting. */
  async function perform(job: Job, span?: Span): Promise<Outcome> {
    // What was claimed before a restore was noticed may have an earlier URL.
    if (epochs.recoveryStep() !== undefined || isLate(job, sending)) return skip(job);
    const result = await makeAttempt({ servers, opener, schedule: sending.schedule }, job);
    describeResult(span, result);
    if (!result || cut.signal.aborted) return skip(job);
    holds.observe(job, result);
    const stored = results.store(job, result).finally(() => job.onEnd?.(result));
    background.add(stored);
    if (results.areTooMany()) await stored;
    return result.outcome === "delivered" ? "acknowledged" : "failed";
  }

  function enqueue(jobs: Job[]): void {
    const refused = dispatcher.offer(jobs);
    if (refused.length > 0) background.add(release(refused));
  }

  return {
    name: `sender.${mode}`,
    enqueue,
    wake() {
      poller.wake();
      holds.wake();
    },
    async start() {
      poller.start();
      holds.start();
    },
    async stop() {
      stopping.abort();
      await Promise.all([poller.stop(), holds.stop()]);
      const { waiting, finished } = dispatcher.stop();
      // Another replica may claim a delivery whose lease is nearly over, so it is not released.
      const unstarted = [...waiting, ...holds.drain()];
      await release(unstarted.filter(({ leaseEndsAt }) => leaseEndsAt - performance.now() > STORE_WITHIN_MS));
      await atMost(STOP_WITHIN_MS, finished);
      cut.abort();
      await background.settled();
    },
  };
}

/** The lease of a job that waited too long may end before the attempt does; a poller claims it after the lease. */
const isLate = ({ leaseEndsAt }: Job, { deadlineMs }: Sending): boolean =>
  leaseEndsAt - performance.now() < deadlineMs + STORE_WITHIN_MS;

/** No attempt is made. */
function skip({ onEnd }: Job): Outcome {
  onEnd?.();
  return "skipped";
}

async function releaseJobs({ pool, log }: { pool: Pool; log: Logger }, jobs: Job[]): Promise<void> {
  const numbers = jobs.map(({ number }) => number);
  await releaseDeliveries(pool, numbers).catch((error) =>
    log.warn({ deliveries: numbers.length, err: error }, "deliveries stay claimed until their lease ends"),
  );
  jobs.forEach(skip);
}

/** Work that continues until shutdown. It must not fail. */
function createBackground() {
  const running = new Set<Promise<void>>();
  return {
    add(work: Promise<void>): void {
      running.add(work);
      void work.finally(() => running.delete(work));
    },
    settled: async () => void (await Promise.all(running)),
  };
}
