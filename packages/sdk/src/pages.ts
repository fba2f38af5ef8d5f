import { type ApiPromise, apiPromise, type ResponseMetadata } from "./response.ts";

/** The promise of one page, which can also be iterated: `for await` reads the rows of this page and of all that follow. */
export type PagePromise<Page> = ApiPromise<Page> & AsyncIterable<RowOf<Page>>;
type RowOf<Page> = Page extends { data: readonly (infer Row)[] } ? Row : never;

export type ListQuery = Record<string, unknown>;
type Read<Page> = (query: ListQuery) => Promise<{ data: Page; response: ResponseMetadata }>;

export function pagePromise<Page>(read: Read<Page>, query: ListQuery): PagePromise<Page> {
  const first = apiPromise(read(query));
  return Object.assign(first, { [Symbol.asyncIterator]: () => rowsOf(read, query, first) });
}

async function* rowsOf<Page>(read: Read<Page>, query: ListQuery, first: Promise<Page>): AsyncGenerator<RowOf<Page>> {
  for (let page = (await first) as Listed<Page>; ; ) {
    yield* page.data;
    const following = queryAfter(page, query);
    if (!following) return;
    page = (await read(following)).data as Listed<Page>;
  }
}

/** The pages of the API: the event log goes on by number, and the other lists by cursor, even if the first page was read by offset. */
type Listed<Page> = { data: RowOf<Page>[]; has_more: boolean; next?: string | number | null };

function queryAfter(
  { has_more, next }: Listed<unknown>,
  { offset: _skipped, ...query }: ListQuery,
): ListQuery | undefined {
  if (!has_more) return undefined;
  if (typeof next === "number") return { ...query, after_sequence: next };
  return typeof next === "string" ? { ...query, after: next } : undefined;
}
