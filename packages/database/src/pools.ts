import type { Component, Logger } from "@collect/runtime";
import { createPool, database, type Pool, TIGHT } from "./pool.ts";

/** The same thing once for each mode. */
export type ByMode<Value> = { live: Value; test: Value };

/**
 * The connections of a service where live and test meet: each mode has its own, so that nothing of one waits behind the other.
 * So have what money waits for, what callers wait for, and what nobody waits for and may take long.
 */
export type Pools = {
  /** Intake and consumers. */
  path: ByMode<Pool>;
  /** Requests, most of which must be answered within five seconds. */
  requests: ByMode<Pool>;
  /** What people look at: lists, searches and single records. Planned for its values, by the planner as it comes. */
  lists: ByMode<Pool>;
  /** Workers, audits and operators' requests, of both modes. */
  workers: Pool;
};

/** How many connections each may open. Those of all services together are at most 92, of PostgreSQL's usual hundred. */
export type PoolSizes = { path: ByMode<number>; requests: ByMode<number>; workers: number };
const SIZES: PoolSizes = { path: { live: 4, test: 2 }, requests: { live: 3, test: 3 }, workers: 2 };
const LISTS: ByMode<number> = { live: 2, test: 1 };

/** `settings` are those of the path of money, of requests and of workers: lists have PostgreSQL's own. */
export function createPools(options: {
  url: string;
  service: string;
  log: Logger;
  sizes?: PoolSizes;
  settings?: string[];
}): Pools {
  const { sizes = SIZES, settings = [], ...connections } = options;
  const tight = (max: number) => createPool({ ...connections, settings, max, limits: TIGHT });
  return {
    path: byMode(sizes.path, tight),
    requests: byMode(sizes.requests, tight),
    lists: byMode(LISTS, (max) => createPool({ ...connections, max, limits: TIGHT })),
    workers: createPool({ ...connections, settings, max: sizes.workers }),
  };
}

/**
 * The pools as a part of a service: it starts once the database answers on each. Those of lists open their connections when
 * somebody looks at something, so that a service without lists has none.
 */
export function databases({ path, requests, lists, workers }: Pools): Component {
  const used = [path.live, path.test, requests.live, requests.test, workers].map(database);
  const all = [...used, ...[lists.live, lists.test].map(database)];
  return {
    name: "database",
    start: async () => void (await Promise.all(used.map((part) => part.start()))),
    stop: async () => void (await Promise.all(all.map((part) => part.stop()))),
  };
}

export function byMode<Value, Made>({ live, test }: ByMode<Value>, make: (value: Value) => Made): ByMode<Made> {
  return { live: make(live), test: make(test) };
}

/** Made once for each mode. */
export const eachMode = <Made>(make: (mode: keyof ByMode<unknown>) => Made): ByMode<Made> => ({
  live: make("live"),
  test: make("test"),
});
