/**
 * Work under one key is done one after another, in the order it came, and holds nothing while it waits; other keys do not
 * wait for it. While one is at work and `waitingMax` wait, the next is refused.
 */
export function createTurns({ waitingMax, refuse }: { waitingMax: number; refuse: () => Error }) {
  const lines = new Map<string, { length: number; last: Promise<unknown> }>();

  return async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = lines.get(key) ?? { length: 0, last: Promise.resolve() };
    if (line.length > waitingMax) throw refuse();
    lines.set(key, line);
    line.length += 1;
    const mine = line.last.then(work).finally(() => {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    });
    line.last = mine.catch(() => {});
    return mine;
  };
}
