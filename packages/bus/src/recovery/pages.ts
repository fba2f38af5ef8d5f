type Position = { at: string; key: string };

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
