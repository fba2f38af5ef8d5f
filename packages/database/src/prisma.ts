import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "./pool.ts";

/**
 * What a service's generated client is made with: a pool of this package, whose bounds and time-outs are its own, those of a
 * server that has gone silent too. It prepares nothing, so the planner knows the values of each query. Errors are minimal:
 * Prisma would print what was asked for.
 */
export function prismaOver(pool: Pool): { adapter: PrismaPg; errorFormat: "minimal" } {
  return { adapter: new PrismaPg(pool), errorFormat: "minimal" };
}

/**
 * A row of the generated client as `statement` gives rows: times as they go on the wire. As there, the caller names the types
 * of the columns, of which the schema knows less: to it a status is any text.
 */
export function rowOf<Row extends object>(found: Record<keyof Row, unknown>): Row {
  return Object.fromEntries(Object.entries(found).map(([field, value]) => [field, onWire(value)])) as Row;
}

export const rowsOf = <Row extends object>(found: readonly Record<keyof Row, unknown>[]): Row[] =>
  found.map((row) => rowOf<Row>(row));

const onWire = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString().replace("Z", "+00:00") : value;
