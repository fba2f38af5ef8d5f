/**
 * Work under one key is done one after another, in the order it came, and holds nothing while it waits; other keys do not
 * wait for it. While one is at work and `waitingMax` wait, the next is refused, unless it is not refusable: what ends something
 * that was begun, and so is bounded already.
 */
export function createKeyedQueue({ waitingMax, refuse }: { waitingMax: number; refuse: () => Error }) {
  const queues = new Map<string, { length: number; last: Promise<unknown> }>();

  return async function enqueue<Result>(
    key: string,
    work: () => Promise<Result>,
    { isRefusable = true }: { isRefusable?: boolean } = {},
  ): Promise<Result> {
    const queue = queues.get(key) ?? { length: 0, last: Promise.resolve() };
    if (isRefusable && queue.length > waitingMax) throw refuse();
    queues.set(key, queue);
    queue.length += 1;
    const mine = queue.last.then(work).finally(() => {
      queue.length -= 1;
      if (queue.length === 0) queues.delete(key);
    });
    queue.last = mine.catch(() => {});
    return mine;
  };
}
