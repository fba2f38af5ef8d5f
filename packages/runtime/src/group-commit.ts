import { watchProgress } from "./progress.ts";

/** What no commit takes on a healthy database. One that takes longer no longer holds up the next. */
const PATIENCE_MS = 250;
/** Commits at once, when the ones before are late: bounded, so that a slow database is not given ever more to do. */
const AT_ONCE_MAX = 3;

/**
 * Callers that come while a batch is being committed form the next batch: nobody waits for a fuller one,
 * and under load many share one commit. `commit` gets the items in order and answers with one result each.
 * When it throws, every caller of that batch gets the error. The queue refuses above `queueMax`.
 * One batch is committed at a time, and beside it at most two that are late, as on a connection that has gone silent: so
 * batches may be committed out of order.
 */
export function createGroupCommit<Item, Result>(options: {
  /** Under which it is reported when it is stuck. */
  name: string;
  commit: (items: Item[]) => Promise<Result[]>;
  batchMax: number;
  queueMax: number;
  refuse: () => Error;
}): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };
  const queue: Waiting[] = [];
  const progress = watchProgress(options.name);
  /** Batches under way, and how many of them are late. */
  let committing = 0;
  let late = 0;
  let scheduled = false;

  function startNext(): void {
    scheduled = false;
    if (queue.length > 0 && committing === late && committing < AT_ONCE_MAX)
      void commitBatch(queue.splice(0, options.batchMax));
  }

  async function commitBatch(batch: Waiting[]): Promise<void> {
    let isLate = false;
    const patience = setTimeout(() => {
      isLate = true;
      late++;
      startNext();
    }, PATIENCE_MS);
    committing++;
    progress.began();
    try {
      const results = await options.commit(batch.map(({ item }) => item));
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
    clearTimeout(patience);
    committing--;
    if (isLate) late--;
    progress.ended();
    startNext();
  }

  return (item) => {
    if (queue.length >= options.queueMax) return Promise.reject(options.refuse());
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (scheduled || committing > late) return;
      scheduled = true;
      setImmediate(startNext);
    });
  };
}
