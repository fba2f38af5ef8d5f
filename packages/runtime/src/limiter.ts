import { createCounts } from "./counts.ts";

export type Limiter = {
  /** Waits for a slot for this key, and resolves with the function that releases it. Rejects with `refuse()`. */
  acquire(key: string): Promise<() => void>;
};

export type LimiterOptions = { concurrency: number; queueMax: number; waitMaxMs: number; refuse: () => Error };

type Waiting = { key: string; resolve: (release: () => void) => void; timeout: NodeJS.Timeout };

/**
 * Limits concurrency. Other callers wait in order of arrival, at most `queueMax` of them and no longer than
 * `waitMaxMs`. One key has at most half of the slots and a quarter of the queue, so that its calls, however slow, never
 * block those of others.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const queue: Waiting[] = [];
  const [activeMax, waitingMax] = [Math.ceil(options.concurrency / 2), Math.ceil(options.queueMax / 4)];
  const [activeBy, waitingBy] = [createCounts(), createCounts()];
  let active = 0;

  const hasSlot = (key: string) => active < options.concurrency && activeBy.of(key) < activeMax;
  const isFull = (key: string) => queue.length >= options.queueMax || waitingBy.of(key) >= waitingMax;

  function occupy(key: string): () => void {
    active++;
    activeBy.add(key, 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      active--;
      activeBy.add(key, -1);
      admitNext();
    };
  }

  function admitNext(): void {
    while (active < options.concurrency) {
      const waiting = queue.find(({ key }) => hasSlot(key));
      if (!waiting) return;
      dequeue(waiting);
      waiting.resolve(occupy(waiting.key));
    }
  }

  function dequeue(waiting: Waiting): void {
    clearTimeout(waiting.timeout);
    queue.splice(queue.indexOf(waiting), 1);
    waitingBy.add(waiting.key, -1);
  }

  /** The timeout applies even if no slot is ever released. */
  function wait(key: string): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const timeout = setTimeout(() => {
      dequeue(waiting);
      reject(options.refuse());
    }, options.waitMaxMs);
    const waiting: Waiting = { key, resolve, timeout };
    queue.push(waiting);
    waitingBy.add(key, 1);
    return promise;
  }

  return {
    acquire(key) {
      if (hasSlot(key)) return Promise.resolve(occupy(key));
      return isFull(key) ? Promise.reject(options.refuse()) : wait(key);
    },
  };
}
