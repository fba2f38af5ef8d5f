/**
 * The position of a recovering service in a list of changed rows, which are ordered by the time of their last change.
 */
export type ChangeCursor = { at: string; key: string };

export const START: ChangeCursor = { at: "0001-01-01T00:00:00+00:00", key: "" };

/** The cursor of the next page; null after the last. */
export function nextCursor<Row extends { at: string }>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => string,
): ChangeCursor | null {
  const last = rows.at(-1);
  return last && rows.length === limit ? { at: last.at, key: keyOf(last) } : null;
}
