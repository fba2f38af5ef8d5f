import { type Component, type Logger, watchProgress } from "@collect/runtime";

export type Queue = Component & {
  /** There is something to do: do not wait for the next look. */
  wake(): void;
};

/**
 * Takes what is due from a table and works on it, so many at once, until it is stopped. A row's lease is its lock: no
 * transaction is open while the work waits for the network.
 */
export function createQueue<Row>(options: {
  name: string;
  log: Logger;
  pollMs: number;
  atOnce: number;
  /** At most so many rows that are due, which nobody else gets before their lease ends. */
  claim(limit: number): Promise<Row[]>;
  /** Must not throw: whatever happens, the row says when it is due again. */
  work(row: Row): Promise<void>;
}): Queue {
  const { name, log, pollMs, atOnce } = options;
  const running = new Set<Promise<void>>();
  const progress = watchProgress(name);
  let stopped = false;
  let awake = Promise.withResolvers<void>();
  let looping: Promise<void> | undefined;

  async function loop(): Promise<void> {
    while (!stopped) {
      awake = Promise.withResolvers();
      progress.began();
      const rows = await options.claim(atOnce - running.size).catch((error) => {
        log.warn({ subject: name, err: error }, "what is due cannot be claimed now");
        return [];
      });
      progress.ended();
      for (const row of rows) start(row);
      if (running.size >= atOnce) await Promise.race(running);
      else await pause();
    }
    await Promise.all(running);
  }

  function start(row: Row): void {
    progress.began();
    const work = options.work(row).finally(() => {
      running.delete(work);
      progress.ended();
    });
    running.add(work);
  }

  async function pause(): Promise<void> {
    const timer = setTimeout(awake.resolve, pollMs);
    await awake.promise;
    clearTimeout(timer);
  }

  return {
    name,
    wake: () => awake.resolve(),
    async start() {
      looping = loop();
    },
    async stop() {
      stopped = true;
      awake.resolve();
      await looping;
    },
  };
}
