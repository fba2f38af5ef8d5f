type Place = { at: string; key: string };

/** Page after page of what a neighbour lists, until there is none left. */
export async function* pages<Row>(
  read: (after: Place | null) => Promise<{ rows: Row[]; next: Place | null }>,
): AsyncGenerator<Row[]> {
  for (let after: Place | null = null; ; ) {
    const page: { rows: Row[]; next: Place | null } = await read(after);
    yield page.rows;
    if (page.next === null) return;
    after = page.next;
  }
}
