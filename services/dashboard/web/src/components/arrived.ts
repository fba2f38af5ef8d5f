import { useState } from "react";

const NONE: ReadonlySet<string> = new Set();

/** The rows that were not in the list at the previous read. On the first read none is new. */
export function useArrived<Row>(
  place: string,
  rows: Row[] | undefined,
  keyOf: (row: Row) => string,
): ReadonlySet<string> {
  const [seen, setSeen] = useState({ place, rows, arrived: NONE });
  if (!rows || (seen.rows === rows && seen.place === place)) return seen.arrived;
  const before = seen.place === place && seen.rows ? new Set(seen.rows.map(keyOf)) : undefined;
  const arrived = before ? new Set(rows.map(keyOf).filter((key) => !before.has(key))) : NONE;
  setSeen({ place, rows, arrived });
  return arrived;
}
