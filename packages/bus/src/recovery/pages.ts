type Position = { at: string; key: string };

/** The most rows of a request or response between peers: with all the metadata of a merchant each has 37 kB, and a message at most 8 MB. */
export const ROWS_A_MESSAGE = 200;

/** What one message would not hold. */
export function* slices<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += ROWS_A_MESSAGE) yield rows.slice(from, from + ROWS_A_MESSAGE);
}

/** Reads a peer's list page by page, until the last one. */
export async function* pages<Row>(
  read: (after: Position | null) => Promise<{ rows: Row[]; next: Position | null }>,
): AsyncGenerator<Row[]> {
  for (let after: Position | null = null; ; ) {
    const page: { rows: Row[]; next: Position | null } = await read(after);
    yield page.rows;
    if (page.next === null) return;
    after = page.next;
  }
}
