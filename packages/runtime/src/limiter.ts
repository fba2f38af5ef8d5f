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
  type Waiting = { since: number; resolve: (release: () => void) => void; reject: (error: Error) => void };
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
      if (performance.now() - waiting.since > options.waitMaxMs) waiting.reject(options.refuse());
      else waiting.resolve(hold());
    }
  }

  return {
    acquire() {
      if (held < options.concurrency) return Promise.resolve(hold());
      if (queue.length >= options.queueMax) return Promise.reject(options.refuse());
      return new Promise((resolve, reject) => queue.push({ since: performance.now(), resolve, reject }));
    },
  };
}
