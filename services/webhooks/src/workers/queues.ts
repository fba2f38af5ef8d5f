import type { Job } from "../domain/job.ts";
import type { QueueCapacity } from "../store/claiming.ts";

/** A `skipped` job does not count for or against the receiver. */
export type Outcome = "acknowledged" | "failed" | "skipped";

export type Queue = Pick<Job, "merchantId" | "mode"> & {
  slots: number;
  running: number;
  waiting: Job[];
  wasFull: boolean;
};
export type QueuesCapacity = { queues: QueueCapacity[]; otherFree: number };

const QUEUE_WAITING_MAX = 1_024;
/** A receiver starts with a few slots, gains one with each acknowledgment and loses half of them with each failure. */
const QUEUE_SLOTS = { first: 8, max: 32, min: 1 };

/** The waiting jobs of each merchant, and the slots in which they run. */
export function createQueues() {
  const queues = new Map<string, Queue>();
  /** Queues with a waiting job and a free slot, in round-robin order. */
  const ready = new Set<Queue>();

  function isReady(queue: Queue): boolean {
    return queue.waiting.length > 0 && queue.running < queue.slots;
  }

  return {
    /** False when the merchant's queue is full. */
    accept(job: Job): boolean {
      const queue = queues.get(keyOf(job)) ?? newQueue(job);
      if (queue.waiting.length >= QUEUE_WAITING_MAX) return false;
      queues.set(keyOf(job), queue);
      queue.waiting.push(job);
      if (isReady(queue)) ready.add(queue);
      return true;
    },
    /** The next job to start. Its queue moves to the end of the order. */
    next(): { queue: Queue; job: Job } | undefined {
      for (const queue of ready) {
        ready.delete(queue);
        const job = queue.waiting.shift();
        if (!job) continue;
        queue.running++;
        if (isReady(queue)) ready.add(queue);
        return { queue, job };
      }
      return undefined;
    },
    end(queue: Queue, outcome: Outcome): void {
      queue.running--;
      if (outcome === "acknowledged") queue.slots = Math.min(queue.slots + 1, QUEUE_SLOTS.max);
      if (outcome === "failed") queue.slots = Math.max(queue.slots >> 1, QUEUE_SLOTS.min);
      if (queue.running === 0 && queue.waiting.length === 0) queues.delete(keyOf(queue));
      if (isReady(queue)) ready.add(queue);
    },
    /** Whether the queue was full when its capacity was last read, and is empty now. True once. */
    hasEmptied(queue: Queue): boolean {
      const hasEmptied = queue.wasFull && queue.waiting.length === 0;
      if (hasEmptied) queue.wasFull = false;
      return hasEmptied;
    },
    capacity: (): QueuesCapacity => ({
      queues: [...queues.values()].map((queue) => ({ ...scopeOf(queue), free: freeIn(queue) })),
      otherFree: capacityOf(QUEUE_SLOTS.first),
    }),
    /** Takes out the waiting jobs of a merchant. */
    withdraw: (merchant: Pick<Job, "merchantId" | "mode">): Job[] =>
      queues.get(keyOf(merchant))?.waiting.splice(0) ?? [],
    /** Takes out all waiting jobs. */
    drain(): Job[] {
      ready.clear();
      return [...queues.values()].flatMap((queue) => queue.waiting.splice(0));
    },
  };
}

const newQueue = (job: Job): Queue => ({
  ...scopeOf(job),
  slots: QUEUE_SLOTS.first,
  running: 0,
  waiting: [],
  wasFull: false,
});

function freeIn(queue: Queue): number {
  const free = Math.max(0, capacityOf(queue.slots) - queue.running - queue.waiting.length);
  queue.wasFull = free === 0;
  return free;
}

/** More jobs than slots, so that the next ones are ready when the first are done. */
const capacityOf = (slots: number): number => 4 * slots;

const scopeOf = ({ merchantId, mode }: Pick<Job, "merchantId" | "mode">) => ({ merchantId, mode });
const keyOf = ({ mode, merchantId }: Pick<Job, "merchantId" | "mode">): string => `${mode} ${merchantId}`;
