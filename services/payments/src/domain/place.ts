/** Where a neighbour that catches up has got to in what changed since a time: rows in the order in which they last changed. */
export type Place = { at: string; key: string };

export const BEGINNING: Place = { at: "0001-01-01T00:00:00+00:00", key: "" };

/** Where the next page begins; null after the last. */
export function nextPlace<Row extends { at: string }>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => string,
): Place | null {
  const last = rows.at(-1);
  return last && rows.length === limit ? { at: last.at, key: keyOf(last) } : null;
}
