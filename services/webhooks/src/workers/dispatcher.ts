import type { ByMode } from "@collect/database";
import type { Job } from "../domain/job.ts";
import { createQueues, type Outcome, type Queue, type QueuesCapacity } from "./queues.ts";

export type Dispatcher = {
  /** Accepts jobs and starts as many as possible. Returns those that exceed the limits. */
  offer(jobs: Job[]): Job[];
  /** The active queues with their free capacity, that of any other merchant, and whether no more may be claimed. */
  capacity(): QueuesCapacity & { full: boolean };
  /** Starts no more jobs of this merchant that are waiting now. Returns them. */
  withdraw(merchant: Pick<Job, "merchantId" | "mode">): Job[];
  /** Starts no more jobs. Returns the waiting jobs, and a promise that resolves when the running ones have ended. */
  stop(): { waiting: Job[]; finished: Promise<void> };
};

/** The limits on attempts of one mode in this process. */
export type Limits = {
  runningMax: number;
  waitingMax: number;
  /** From this many waiting jobs on nothing more is claimed; jobs that were just recorded are still accepted. */
  claimBelow: number;
};
/** Each mode has its own: slow servers of test merchants cannot delay live attempts. */
export const LIMITS: ByMode<Limits> = {
  live: { runningMax: 768, waitingMax: 6_144, claimBelow: 1_536 },
  test: { runningMax: 256, waitingMax: 2_048, claimBelow: 512 },
};
type Options = {
  limits: Limits;
  perform(job: Job): Promise<Outcome>;
  /** Called when a queue that was full has become empty. */
  onCapacity(): void;
};

/**
 * The slots for attempts of one mode in this process: a total, and a number for the queue of each merchant; the queues are
 * served round robin. A slow or dead receiver occupies only its own few slots.
 */
export function createDispatcher({ limits, perform, onCapacity }: Options): Dispatcher {
  const queues = createQueues();
  let running = 0;
  let waiting = 0;
  let stopped = false;
  let finish: (() => void) | undefined;

  function accept(job: Job): boolean {
    const isAccepted = !stopped && waiting < limits.waitingMax && queues.accept(job);
    if (isAccepted) waiting++;
    return isAccepted;
  }

  function startReady(): void {
    while (running < limits.runningMax) {
      const next = queues.next();
      if (!next) return;
      waiting--;
      running++;
      void perform(next.job).then((outcome) => end(next.queue, outcome));
    }
  }

  function end(queue: Queue, outcome: Outcome): void {
    running--;
    queues.end(queue, outcome);
    startReady();
    if (queues.hasEmptied(queue)) onCapacity();
    if (running === 0) finish?.();
  }

  return {
    offer(jobs) {
      const refused = jobs.filter((job) => !accept(job));
      startReady();
      return refused;
    },
    capacity: () => ({ ...queues.capacity(), full: stopped || waiting >= limits.claimBelow }),
    withdraw(merchant) {
      const withdrawn = queues.withdraw(merchant);
      waiting -= withdrawn.length;
      return withdrawn;
    },
    stop() {
      stopped = true;
      waiting = 0;
      const finished = Promise.withResolvers<void>();
      finish = finished.resolve;
      if (running === 0) finish();
      return { waiting: queues.drain(), finished: finished.promise };
    },
  };
}
