export type Removal = { by: string; name: string };

/**
 * Whether an operator may remove this one alone. A credential that leaked has to end at once, so the first removal needs no
 * second operator; but an operator who is hostile, or whose own credential leaked, must not be able to remove the others one
 * after the other. `lately` are the removals of the last 24 hours that were not refused; one that a second operator approved was
 * not done `alone`.
 */
export function mayRemoveAlone(
  { by, name }: Removal,
  { operators, lately }: { operators: readonly string[]; lately: readonly (Removal & { alone: boolean })[] },
): boolean {
  if (by === name) return true;
  const hasRemovedAnother = lately.some((earlier) => earlier.alone && earlier.by === by && earlier.name !== by);
  // Also those whose removal was admitted and is just being done.
  const gone = new Set([name, ...lately.map((earlier) => earlier.name)]);
  return !hasRemovedAnother && operators.filter((operator) => !gone.has(operator)).length >= LEFT_MIN;
}

/** Fewer could approve nothing. */
const LEFT_MIN = 2;
