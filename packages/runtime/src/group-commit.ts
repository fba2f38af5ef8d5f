/**
 * Callers that come while a batch is being committed form the next batch: nobody waits for a fuller one,
 * and under load many share one commit. `commit` gets the items in order and answers with one result each.
 * When it throws, every caller of that batch gets the error. The queue refuses above `queueMax`.
 */
export function createGroupCommit<Item, Result>(options: {
  commit: (items: Item[]) => Promise<Result[]>;
  batchMax: number;
  queueMax: number;
  refuse: () => Error;
}): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };
  const queue: Waiting[] = [];
  let committing = false;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, options.batchMax);
      try {
        const results = await options.commit(batch.map(({ item }) => item));
        for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result);
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    committing = false;
  }

  return (item) => {
    if (queue.length >= options.queueMax) return Promise.reject(options.refuse());
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (committing) return;
      committing = true;
      setImmediate(drain);
    });
  };
}
