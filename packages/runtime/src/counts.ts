export type Counts = {
  of(key: string): number;
  /** A key whose count is 0 again is forgotten. */
  add(key: string, change: number): void;
};

/** Counts by key, such as the calls in progress of each merchant. */
export function createCounts(): Counts {
  const counts = new Map<string, number>();
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    add(key, change) {
      const count = of(key) + change;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}
