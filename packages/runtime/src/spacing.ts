/** Keeps the beginnings of batches at least so far apart: how long the next one waits, and that one has begun. */
export function createSpacing(apartMs: number) {
  let next = Number.NEGATIVE_INFINITY;
  return {
    waitMs: (): number => Math.max(0, next - performance.now()),
    began(): void {
      next = performance.now() + apartMs;
    },
  };
}
