import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "./pool.ts";

/**
 * The options of a service's generated client. It uses a pool of this package, with its size and timeouts, including the one
 * for a silent server. It prepares no statements, so the planner knows each query's values. Errors are minimal, because
 * Prisma's other formats print the query's values.
 */
export function prismaOver(pool: Pool): { adapter: PrismaPg; errorFormat: "minimal" } {
  return { adapter: new PrismaPg(pool), errorFormat: "minimal" };
}

/**
 * Converts a row of the generated client to the format of `statement`, with times in wire format. As with `statement`, the
 * caller names the column types, because the schema is less specific: a status is any text.
 */
export function rowOf<Row extends object>(found: Record<keyof Row, unknown>): Row {
  return Object.fromEntries(Object.entries(found).map(([field, value]) => [field, onWire(value)])) as Row;
}

export const rowsOf = <Row extends object>(found: readonly Record<keyof Row, unknown>[]): Row[] =>
  found.map((row) => rowOf<Row>(row));

const onWire = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString().replace("Z", "+00:00") : value;
