export type Limiter = {
  /** Waits until fewer than `concurrency` are held, and gives what ends this one. Rejects with `refuse()`. */
  acquire(): Promise<() => void>;
};

/** So much at once; the others wait in the order in which they came, no more than `queueMax`, and no longer than `waitMaxMs`. */
export function createLimiter(options: {
  concurrency: number;
  queueMax: number;
  waitMaxMs: number;
  refuse: () => Error;
}): Limiter {
  type Waiting = { resolve: (release: () => void) => void; patience: NodeJS.Timeout };
  const queue: Waiting[] = [];
  let held = 0;

  function hold(): () => void {
    held++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      held--;
      next();
    };
  }

  function next(): void {
    while (held < options.concurrency) {
      const waiting = queue.shift();
      if (!waiting) return;
      clearTimeout(waiting.patience);
      waiting.resolve(hold());
    }
  }

  /** Whether or not any of those that are held ever ends. */
  function wait(): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const patience = setTimeout(() => {
      queue.splice(queue.indexOf(waiting), 1);
      reject(options.refuse());
    }, options.waitMaxMs);
    const waiting: Waiting = { resolve, patience };
    queue.push(waiting);
    return promise;
  }

  return {
    acquire() {
      if (held < options.concurrency) return Promise.resolve(hold());
      if (queue.length >= options.queueMax) return Promise.reject(options.refuse());
      return wait();
    },
  };
}
