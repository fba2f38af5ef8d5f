import { type Component, type Logger, watchProgress } from "@collect/runtime";
import { inTrace } from "@collect/telemetry";

export type Queue = Component & {
  /** Something is due: claim it without waiting for the next poll. */
  wake(): void;
};

/**
 * Claims due rows of a table and works on up to `concurrency` of them at once, until it is stopped. A row's lease is
 * its lock: no transaction is open while the work waits for the network.
 */
export function createQueue<Row>(options: {
  name: string;
  log: Logger;
  pollMs: number;
  concurrency: number;
  /** Claims at most this many due rows, which no other process gets before their lease ends. */
  claim(limit: number): Promise<Row[]>;
  /** Must not throw: the row itself records when it is due again. */
  work(row: Row): Promise<void>;
}): Queue {
  const { name, log, pollMs, concurrency } = options;
  const running = new Set<Promise<void>>();
  const progress = watchProgress(name);
  let stopped = false;
  let awake = Promise.withResolvers<void>();
  let looping: Promise<void> | undefined;

  async function loop(): Promise<void> {
    while (!stopped) {
      awake = Promise.withResolvers();
      progress.began();
      const rows = await options.claim(concurrency - running.size).catch((error) => {
        log.warn({ subject: name, err: error }, "due rows cannot be claimed");
        return [];
      });
      progress.ended();
      for (const row of rows) start(row);
      if (running.size >= concurrency) await Promise.race(running);
      else await settledWithin(awake, pollMs);
    }
    await Promise.all(running);
  }

  function start(row: Row): void {
    progress.began();
    const step = () => ({ name, kind: "INTERNAL" }) as const;
    const work = inTrace(undefined, step, () => options.work(row)).finally(() => {
      running.delete(work);
      progress.ended();
    });
    running.add(work);
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

/** Waits for the promise, at most so many milliseconds; then it is resolved. */
async function settledWithin({ promise, resolve }: PromiseWithResolvers<void>, maxMs: number): Promise<void> {
  const timer = setTimeout(resolve, maxMs);
  await promise;
  clearTimeout(timer);
}
