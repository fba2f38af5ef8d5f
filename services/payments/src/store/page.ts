/**
 * A page of a list that is ordered by a time and a key, newest first: rows at or after `from` and behind a place. One
 * comparison of both columns is where an index starts to read, however far down the page is.
 */
export type Page = { from: string; behind: [at: string, key: string]; limit: number };

/** As the parameters $3 to $6, after merchant and mode. */
export const pageValues = ({ from, behind, limit }: Page): unknown[] => [from, ...behind, limit];
