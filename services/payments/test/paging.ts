/** Reads every row of a list, from the first page to the last; `between` runs after each page. */
export async function readAllPages<Row>(
  page: (after: string | undefined) => Promise<{ data: Row[]; next: string | null }>,
  between: () => Promise<unknown> = async () => {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  do {
    const { data, next } = await page(after);
    rows.push(...data);
    after = next ?? undefined;
    await between();
  } while (after !== undefined);
  return rows;
}
