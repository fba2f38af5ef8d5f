import type { Epochs } from "@collect/bus";
import type { Pool } from "@collect/database";
import { type Logger, type Progress, watchProgress } from "@collect/runtime";
import type { Job } from "../domain/job.ts";
import type { DueDelivery } from "../store/claiming.ts";
import { moveToCurrentUrl } from "../store/deliveries.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { QueuesCapacity } from "./queues.ts";

/** The pause after a claim that found deliveries. */
const BUSY_PAUSE_MS = 5;

type Deps = {
  epochs: Epochs;
  pool: Pool;
  log: Logger;
  leaseMs: number;
  capacity: Dispatcher["capacity"];
  claim(capacity: QueuesCapacity): Promise<DueDelivery[]>;
  take(jobs: Job[]): void;
};

export type Poller = {
  start(): void;
  /** A queue that was full has free capacity: do not wait for the next poll. */
  wake(): void;
  stop(): Promise<void>;
};

type Polling = {
  name: string;
  pollMs: number;
  log: Logger;
  /** Claims what is due. Returns how many it found: after some it is called again at once. */
  poll(progress: Progress): Promise<number>;
};

/** Claims what is due until it is stopped. */
export function createPoller({ name, pollMs, log, poll }: Polling): Poller {
  const progress = watchProgress(name);
  let stopped = false;
  let woken = false;
  let resume: (() => void) | undefined;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      progress.began();
      const claimed = await poll(progress).catch((error) => {
        log.warn({ err: error, poller: name }, "due deliveries cannot be claimed now");
        return 0;
      });
      progress.ended();
      await pause(claimed > 0 || woken ? BUSY_PAUSE_MS : pollMs);
    }
  }

  async function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    resume = resolve;
    await promise;
    clearTimeout(timer);
    resume = undefined;
  }

  const wake = (): void => {
    woken = true;
    resume?.();
  };
  return {
    start() {
      running = run();
    },
    wake,
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

/**
 * Claims due deliveries: retries, and those of crashed processes. None while the database may be an earlier one: the URL that it
 * has may belong to somebody else by now.
 */
export async function pollDue(
  { epochs, pool, log, leaseMs, capacity, claim, take }: Deps,
  progress: Progress,
): Promise<number> {
  const { queues, otherFree, full } = capacity();
  if (full || !epochs.isCurrent()) return 0;
  // Computed before the statement, so that our view of the lease ends before the database's.
  const leaseEndsAt = performance.now() + leaseMs;
  const due = await claim({ queues, otherFree });
  // Noticed meanwhile: what was claimed waits for its lease. A move needs a new number, too, and a database that may have lost some
  // assigns none.
  if (!epochs.isCurrent()) return due.length;
  take(due.filter(({ url, current_url }) => url === current_url).map((delivery) => jobOf(delivery, leaseEndsAt)));
  await moveDeliveries(
    { pool, log, progress },
    due.filter(({ url, current_url }) => url !== current_url),
  );
  return due.length;
}

/** If the moves fail together they are made merchant by merchant; deliveries that cannot be moved stay claimed until the lease ends. */
async function moveDeliveries(
  { pool, log, progress }: Pick<Deps, "pool" | "log"> & { progress: Progress },
  due: DueDelivery[],
): Promise<void> {
  if (due.length === 0) return;
  const numbers = (some: DueDelivery[]) => some.map(({ number }) => number);
  try {
    await moveToCurrentUrl(pool, numbers(due));
  } catch (error) {
    log.warn({ deliveries: due.length, err: error }, "deliveries cannot be moved to the current URL together");
    for (const [merchant, some] of Map.groupBy(due, ({ merchant_id, mode }) => `${mode} ${merchant_id}`)) {
      await moveToCurrentUrl(pool, numbers(some)).catch((err) =>
        log.warn({ merchant, deliveries: some.length, err }, "deliveries cannot be moved to the current URL now"),
      );
      progress.stepped();
    }
  }
}

export function jobOf(due: DueDelivery, leaseEndsAt: number): Job {
  const { number, merchant_id: merchantId, mode, sequence, attempt, kind, body, url, secret, simulated } = due;
  const { attempts_before: attemptsBefore, staged_secret: stagedSecret } = due;
  return {
    number,
    merchantId,
    mode,
    sequence,
    attempt,
    attemptsBefore,
    kind,
    body,
    url,
    secret,
    stagedSecret,
    simulated,
    leaseEndsAt,
  };
}
