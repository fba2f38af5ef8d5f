/** A deterministic pseudorandom number generator. */
export type Random = {
  /** 0 ≤ n < 1. */
  next(): number;
  /** Both bounds are included. */
  int(min: number, max: number): number;
  chance(share: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  shuffle<Value>(values: readonly Value[]): Value[];
};

/** Mulberry32 over the seed and a label, so that each part of a run has its own sequence. */
export function createRandom(seed: number, label = ""): Random {
  let state = seed >>> 0;
  for (let index = 0; index < label.length; index++)
    state = Math.imul(state ^ label.charCodeAt(index), 0x01000193) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick(values) {
      const value = values[int(0, values.length - 1)];
      if (value === undefined) throw new Error("cannot pick from an empty list");
      return value;
    },
    shuffle(values) {
      const result = [...values];
      for (let at = result.length - 1; at > 0; at--) {
        const other = int(0, at);
        [result[at], result[other]] = [result[other] as never, result[at] as never];
      }
      return result;
    },
  };
}
