/** The least 1, 2, 5 or 10 times a power of ten that no value exceeds: the top of an axis, whose half is a round number, too. */
export function rounded(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 5].find((times) => times * power >= most) ?? 10);
}

/** The bar of a value on a plot that is 100 high. What is not zero can be seen. */
export function barOf(value: number, top: number): { y: number; height: number } {
  const height = value > 0 ? Math.max((value / top) * 100, 0.5) : 0;
  return { y: 100 - height, height };
}

/** Where a key leads among bars 0 to `last`. */
export function barAt(key: string, from: number, last: number): number | undefined {
  if (key === "Home") return 0;
  if (key === "End") return last;
  if (key === "ArrowLeft" || key === "ArrowDown") return Math.max(0, from - 1);
  if (key === "ArrowRight" || key === "ArrowUp") return Math.min(last, from + 1);
  return undefined;
}
