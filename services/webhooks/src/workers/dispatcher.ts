import type { ByMode } from "@collect/database";
import type { Job } from "../domain/job.ts";
import type { QueueCapacity } from "../store/deliveries.ts";

/** A `skipped` job does not count for or against the receiver. */
export type Outcome = "acknowledged" | "failed" | "skipped";

export type Dispatcher = {
  /** Accepts jobs and starts as many as possible. Returns those that exceed the limits. */
  offer(jobs: Job[]): Job[];
  /** The active queues with their free capacity, that of any other merchant, and whether no more may be claimed. */
  capacity(): { queues: QueueCapacity[]; otherFree: number; full: boolean };
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
const QUEUE_WAITING_MAX = 1_024;
/** A receiver starts with a few slots, gains one with each acknowledgment and loses half of them with each failure. */
const QUEUE_SLOTS = { first: 8, max: 32, min: 1 };

type Queue = Pick<Job, "merchantId" | "mode"> & { slots: number; running: number; waiting: Job[]; wasFull: boolean };

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
  const queues = new Map<string, Queue>();
  /** Queues with a waiting job and a free slot, in round-robin order. */
  const ready = new Set<Queue>();
  let running = 0;
  let waiting = 0;
  let stopped = false;
  let finish: (() => void) | undefined;

  function accept(job: Job): boolean {
    const queue = queueOf(job);
    if (stopped || waiting >= limits.waitingMax || queue.waiting.length >= QUEUE_WAITING_MAX) return false;
    queues.set(keyOf(job), queue);
    queue.waiting.push(job);
    waiting++;
    if (queue.running < queue.slots) ready.add(queue);
    return true;
  }

  function queueOf(job: Job): Queue {
    const { merchantId, mode } = job;
    return (
      queues.get(keyOf(job)) ?? {
        merchantId,
        mode,
        slots: QUEUE_SLOTS.first,
        running: 0,
        waiting: [],
        wasFull: false,
      }
    );
  }

  /** A queue that is still ready moves to the end of the set, so this same loop serves it again. */
  function startReady(): void {
    for (const queue of ready) {
      if (running >= limits.runningMax) return;
      ready.delete(queue);
      const job = queue.waiting.shift();
      if (job) start(queue, job);
      if (queue.waiting.length > 0 && queue.running < queue.slots) ready.add(queue);
    }
  }

  function start(queue: Queue, job: Job): void {
    waiting--;
    running++;
    queue.running++;
    void perform(job).then((outcome) => end(queue, job, outcome));
  }

  function end(queue: Queue, job: Job, outcome: Outcome): void {
    running--;
    queue.running--;
    if (outcome === "acknowledged") queue.slots = Math.min(queue.slots + 1, QUEUE_SLOTS.max);
    if (outcome === "failed") queue.slots = Math.max(queue.slots >> 1, QUEUE_SLOTS.min);
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(keyOf(job));
    if (queue.waiting.length > 0 && queue.running < queue.slots) ready.add(queue);
    startReady();
    if (queue.wasFull && queue.waiting.length === 0) {
      queue.wasFull = false;
      onCapacity();
    }
    if (running === 0) finish?.();
  }

  return {
    offer(jobs) {
      const refused = jobs.filter((job) => !accept(job));
      startReady();
      return refused;
    },
    capacity: () => ({
      queues: [...queues.values()].map((queue) => ({
        merchantId: queue.merchantId,
        mode: queue.mode,
        free: freeIn(queue),
      })),
      otherFree: capacityOf(QUEUE_SLOTS.first),
      full: stopped || waiting >= limits.claimBelow,
    }),
    stop() {
      stopped = true;
      ready.clear();
      const left = [...queues.values()].flatMap((queue) => queue.waiting.splice(0));
      waiting = 0;
      const finished = Promise.withResolvers<void>();
      finish = finished.resolve;
      if (running === 0) finish();
      return { waiting: left, finished: finished.promise };
    },
  };
}

function freeIn(queue: Queue): number {
  const free = Math.max(0, capacityOf(queue.slots) - queue.running - queue.waiting.length);
  queue.wasFull = free === 0;
  return free;
}

/** More jobs than slots, so that the next ones are ready when the first are done. */
const capacityOf = (slots: number): number => 4 * slots;

const keyOf = ({ mode, merchantId }: Job): string => `${mode} ${merchantId}`;
