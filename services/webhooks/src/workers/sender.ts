import { setTimeout as sleep } from "node:timers/promises";
import type { Epochs } from "@collect/bus";
import type { Mode } from "@collect/contracts";
import { type ByMode, byMode, type Pool } from "@collect/database";
import { type Component, createGroupCommit, type Logger, withBackOff } from "@collect/runtime";
import type { MerchantServers } from "../adapters/merchant-server.ts";
import type { Job } from "../domain/job.ts";
import { SCHEDULE, type Schedule } from "../domain/schedule.ts";
import { type AttemptResult, releaseDeliveries, storeResults } from "../store/deliveries.ts";
import { makeAttempt } from "./attempt.ts";
import { CAPACITY, createDispatcher, type Outcome } from "./dispatcher.ts";
import { createPoller } from "./poller.ts";

export type Sending = {
  schedule: Schedule;
  /** One attempt, from the look-up of the name to the end of the response. */
  deadlineMs: number;
  /** How long a claimed delivery is nobody else's. A process that dies leaves it to the poller of any replica after that. */
  leaseMs: number;
  pollMs: number;
  /**
   * So many results of a mode may wait for the database beside the attempts that are made meanwhile. Above it an attempt keeps
   * its place until its result is stored: merchants' servers may answer faster than the database, and nothing here grows then.
   */
  unstoredMax: number;
};

export const SENDING: Sending = {
  schedule: SCHEDULE,
  deadlineMs: 15_000,
  leaseMs: 60_000,
  pollMs: 1_000,
  unstoredMax: 2_048,
};

/** What is left of a lease when an attempt may last to its deadline: time to store the result. */
const STORE_WITHIN_MS = 5_000;
/** Attempts under way when the service stops get this long; the others are made again after their lease. */
const STOP_WITHIN_MS = 5_000;
const RESULTS_A_COMMIT = 512;

export type Sender = Component & {
  /** Deliveries that were just recorded, claimed by this process. What there is no room for goes back to the table. */
  enqueue(jobs: Job[]): void;
};

type Deps = { log: Logger; servers: MerchantServers; sending: Sending; epochs: Epochs };

/** Each mode is sent by itself, with connections and places of its own. */
export function createSender({ pools, ...deps }: Deps & { pools: ByMode<Pool> }): Sender {
  const { live, test } = byMode({ live: "live", test: "test" } as const, (mode) =>
    createSenderOf(mode, { ...deps, pool: pools[mode] }),
  );
  return {
    name: "sender",
    enqueue(jobs) {
      live.enqueue(jobs.filter(({ mode }) => mode === "live"));
      test.enqueue(jobs.filter(({ mode }) => mode === "test"));
    },
    start: async () => void (await Promise.all([live.start(), test.start()])),
    async stop() {
      await Promise.all([live.stop(), test.stop()]);
      await deps.servers.close();
    },
  };
}

/** Claim, release, call, record: no row is locked and no transaction is open while a merchant's server is called. */
function createSenderOf(mode: Mode, deps: Deps & { pool: Pool }): Sender {
  const { pool, log, servers, sending, epochs } = deps;
  const stopping = new AbortController();
  const cut = new AbortController();
  const background = new Set<Promise<void>>();
  let unstored = 0;
  const dispatcher = createDispatcher({ capacity: CAPACITY[mode], perform, onRoom: () => poller.wake() });
  const { pollMs, leaseMs } = sending;
  const poller = createPoller({ mode, epochs, pool, log, pollMs, leaseMs, room: dispatcher.room, take: enqueue });

  const store = createGroupCommit<AttemptResult, void>({
    name: `results.${mode}`,
    commit: async (results) => {
      await storeResults(pool, results);
      return results.map(() => undefined);
    },
    batchMax: RESULTS_A_COMMIT,
    queueMax: sending.unstoredMax + CAPACITY[mode].runningMax,
    refuse: () => new Error("too many results wait for the database"),
  });

  /** The place is free once the merchant's server has answered; the result is stored beside that, unless too many are. */
  async function perform(job: Job): Promise<Outcome> {
    // What waited too long may be somebody else's before the attempt ends; the poller gets it after the lease.
    if (job.leaseEndsAt - performance.now() < sending.deadlineMs + STORE_WITHIN_MS) return "skipped";
    const result = await makeAttempt({ servers, schedule: sending.schedule }, job);
    if (cut.signal.aborted) return "skipped";
    const kept = keep(job, result);
    inBackground(kept);
    if (unstored > sending.unstoredMax) await kept;
    return result.outcome === "delivered" ? "acknowledged" : "failed";
  }

  /** A result that cannot be stored before the lease ends is given up: the delivery is sent once more. */
  async function keep(job: Job, result: AttemptResult): Promise<void> {
    unstored++;
    try {
      await store(result);
    } catch (error) {
      log.warn({ delivery: job.number.toString(), err: error }, "the result cannot be stored yet");
      const left = AbortSignal.timeout(Math.max(0, Math.round(job.leaseEndsAt - performance.now())));
      const signal = AbortSignal.any([stopping.signal, left]);
      await withBackOff(() => store(result), { signal, onFailure: () => {} });
    } finally {
      unstored--;
    }
    log.info(
      {
        delivery: job.number.toString(),
        merchant_id: job.merchantId,
        mode: job.mode,
        attempt: job.attempt,
        status: result.status,
        error: result.error,
        outcome: result.outcome,
        duration_ms: result.durationMs,
      },
      "attempt",
    );
  }

  function enqueue(jobs: Job[]): void {
    const refused = dispatcher.offer(jobs);
    if (refused.length > 0) inBackground(giveBack(refused));
  }

  async function giveBack(jobs: Job[]): Promise<void> {
    const numbers = jobs.map(({ number }) => number);
    await releaseDeliveries(pool, numbers).catch((error) =>
      log.warn({ deliveries: numbers.length, err: error }, "deliveries stay claimed until their lease ends"),
    );
  }

  function inBackground(work: Promise<void>): void {
    background.add(work);
    void work.finally(() => background.delete(work));
  }

  return {
    name: `sender.${mode}`,
    enqueue,
    async start() {
      poller.start();
    },
    async stop() {
      stopping.abort();
      await poller.stop();
      const { waiting, finished } = dispatcher.stop();
      // A lease that is nearly over may be somebody else's by now.
      await giveBack(waiting.filter(({ leaseEndsAt }) => leaseEndsAt - performance.now() > STORE_WITHIN_MS));
      const waited = new AbortController();
      await Promise.race([finished, sleep(STOP_WITHIN_MS, undefined, { signal: waited.signal }).catch(() => {})]);
      waited.abort();
      cut.abort();
      await Promise.all(background);
    },
  };
}
