export type Limiter = {
  /** Waits until there is a slot for this key, and gives what ends this one. Rejects with `refuse()`. */
  acquire(key: string): Promise<() => void>;
};

export type LimiterOptions = { concurrency: number; queueMax: number; waitMaxMs: number; refuse: () => Error };

type Waiting = { key: string; resolve: (release: () => void) => void; patience: NodeJS.Timeout };

/**
 * So much at once; the others wait in the order in which they came, no more than `queueMax`, and no longer than `waitMaxMs`. One
 * key has at most half of the slots and a quarter of the queue, so that its calls, however slow, never keep out those of others.
 */
export function createLimiter(options: LimiterOptions): Limiter {
  const queue: Waiting[] = [];
  const [heldMax, waitingMax] = [Math.ceil(options.concurrency / 2), Math.ceil(options.queueMax / 4)];
  const heldBy = new Map<string, number>();
  const waitingBy = new Map<string, number>();
  let held = 0;

  const hasSlot = (key: string) => held < options.concurrency && countOf(heldBy, key) < heldMax;
  const isFull = (key: string) => queue.length >= options.queueMax || countOf(waitingBy, key) >= waitingMax;

  function hold(key: string): () => void {
    held++;
    add(heldBy, key, 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      held--;
      add(heldBy, key, -1);
      next();
    };
  }

  function next(): void {
    while (held < options.concurrency) {
      const waiting = queue.find(({ key }) => hasSlot(key));
      if (!waiting) return;
      leave(waiting);
      waiting.resolve(hold(waiting.key));
    }
  }

  function leave(waiting: Waiting): void {
    clearTimeout(waiting.patience);
    queue.splice(queue.indexOf(waiting), 1);
    add(waitingBy, waiting.key, -1);
  }

  /** Whether or not any of those that are held ever ends. */
  function wait(key: string): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const patience = setTimeout(() => {
      leave(waiting);
      reject(options.refuse());
    }, options.waitMaxMs);
    const waiting: Waiting = { key, resolve, patience };
    queue.push(waiting);
    add(waitingBy, key, 1);
    return promise;
  }

  return {
    acquire(key) {
      if (hasSlot(key)) return Promise.resolve(hold(key));
      return isFull(key) ? Promise.reject(options.refuse()) : wait(key);
    },
  };
}

const countOf = (counts: Map<string, number>, key: string): number => counts.get(key) ?? 0;

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = countOf(counts, key) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
