import type { Logger, Part } from "@collect/runtime";
import { createPool, database, type Pool, TIGHT } from "./pool.ts";

/** The same thing once for each mode. */
export type ByMode<Value> = { live: Value; test: Value };

/**
 * The connections of a service where live and test meet: each mode has its own, so a flood in one never waits in front of the
 * other. So has what money waits for (`path`: intake, consumers), beside what is asked and worked on (`requests`).
 */
export type Pools = { path: ByMode<Pool>; requests: ByMode<Pool> };

/** How many connections each may open. Those of all services together are about 60, of PostgreSQL's usual hundred. */
export type PoolSizes = { path: ByMode<number>; requests: ByMode<number> };
const SIZES: PoolSizes = { path: { live: 4, test: 2 }, requests: { live: 3, test: 2 } };

export function createPools(options: {
  url: string;
  service: string;
  log: Logger;
  sizes?: PoolSizes;
  settings?: string[];
}): Pools {
  const { sizes = SIZES, ...connections } = options;
  const path = (max: number) => createPool({ ...connections, max, limits: TIGHT });
  const requests = (max: number) => createPool({ ...connections, max });
  return {
    path: byMode(sizes.path, path),
    requests: byMode(sizes.requests, requests),
  };
}

/** The pools as a part of a service: it starts once the database answers on each. */
export function databases({ path, requests }: Pools): Part {
  const all = [path.live, path.test, requests.live, requests.test].map(database);
  return {
    name: "database",
    start: async () => void (await Promise.all(all.map((part) => part.start()))),
    stop: async () => void (await Promise.all(all.map((part) => part.stop()))),
  };
}

export function byMode<Value, Made>({ live, test }: ByMode<Value>, make: (value: Value) => Made): ByMode<Made> {
  return { live: make(live), test: make(test) };
}
