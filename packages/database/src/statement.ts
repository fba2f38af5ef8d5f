import type { QueryResultRow } from "pg";
import type { Session } from "./pool.ts";

let named = 0;

/** A statement that is parsed and planned once per connection. Call it with a transaction, or with a pool to run it alone. */
export function statement<Row extends QueryResultRow = Record<string, never>>(text: string) {
  const name = `s${++named}`;
  return async (tx: Session, values: unknown[] = []): Promise<Row[]> => {
    const { rows } = await tx.query<Row>({ name, text, values });
    return rows;
  };
}

/**
 * A statement that is planned at every call, for its values: use it where the right plan depends on the merchant and the filters.
 * Planning costs a fraction of a millisecond, which a person does not notice.
 */
export function query<Row extends QueryResultRow>(text: string) {
  return async (tx: Session, values: unknown[] = []): Promise<Row[]> => {
    const { rows } = await tx.query<Row>(text, values);
    return rows;
  };
}

/** The named fields of many rows, one array per field, for `unnest($1::text[], $2::bigint[], …)`. */
export function columns<Row>(rows: readonly Row[], ...fields: (keyof Row)[]): unknown[][] {
  return fields.map((field) => rows.map((row) => row[field]));
}
