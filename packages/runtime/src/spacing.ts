export type Spacing = { waitMs(): number; began(): void };

/** Keeps the beginnings of batches at least so far apart: how long the next one waits, and that one has begun. */
export function createSpacing(apartMs: number): Spacing {
  let next = Number.NEGATIVE_INFINITY;
  return {
    waitMs: () => Math.max(0, next - performance.now()),
    began() {
      next = performance.now() + apartMs;
    },
  };
}
