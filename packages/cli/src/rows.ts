/** A page has up to 100 rows, and each is one call. */
const PAGE = 100;

/** The first rows of a list, over as many pages as that takes. */
export async function firstRows<Row>(count: number, list: (limit: number) => AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of list(Math.min(count, PAGE))) if (rows.push(row) === count) break;
  return rows;
}
