import type { Component, Logger } from "@collect/runtime";
import { started } from "./component.ts";
import { type Connection, createPool, type Pool, TIGHT } from "./pool.ts";

/** One value for each mode. */
export type ByMode<Value> = { live: Value; test: Value };

/**
 * The connections of a service that handles live and test: each mode has its own pools, so that neither waits for the other.
 * The path of money, requests, lists, and background work, which may be slow, also have separate pools.
 */
export type Pools = {
  /** Intake and consumers. */
  path: ByMode<Pool>;
  /** Requests, most of which have a deadline of five seconds. */
  requests: ByMode<Pool>;
  /** Lists, searches and single records that users read. Custom plans with PostgreSQL's default planner settings. */
  lists: ByMode<Pool>;
  /** Workers, audits and operators' requests, of both modes. */
  workers: Pool;
};

/** The maximum connections of each pool, before POOL_SCALE. */
export type PoolSizes = { path: ByMode<number>; requests: ByMode<number>; workers: number };
const SIZES: PoolSizes = { path: { live: 4, test: 2 }, requests: { live: 3, test: 3 }, workers: 2 };
const LISTS: ByMode<number> = { live: 2, test: 1 };
/** A search for what very many rows have in a GIN index gets about this many of them: it would read them all before the first. */
const FOUND_BY_GIN_MAX = 1_000;

/**
 * `settings` apply to the path of money, requests and workers; lists have PostgreSQL's defaults for the planner. The path of money
 * and requests, which are most of the connections, go through a pooler if there is one. Lists and workers have other settings
 * than these, and stay direct.
 */
export function createPools(
  options: Connection & { service: string; log: Logger; sizes?: PoolSizes; settings?: string[] },
): Pools {
  const { sizes = SIZES, settings = [], pooler, ...direct } = options;
  const pooled = (mode: keyof ByMode<unknown>) =>
    pooler === undefined ? direct : { ...direct, url: pooledUrl(pooler, mode), isPooled: true };
  const tight = (use: string, max: ByMode<number>, connections: typeof pooled, settings: string[]) =>
    eachMode((mode) =>
      createPool({ ...connections(mode), name: `${use}.${mode}`, settings, max: max[mode], limits: TIGHT }),
    );
  return {
    path: tight("path", sizes.path, pooled, settings),
    requests: tight("requests", sizes.requests, pooled, settings),
    lists: tight("lists", LISTS, () => direct, [`gin_fuzzy_search_limit=${FOUND_BY_GIN_MAX}`]),
    workers: createPool({ ...direct, name: "workers", settings, max: sizes.workers }),
  };
}

/** A pooler shares the connections of a name among all that use it, so test has a name of its own for the same database. */
function pooledUrl(pooler: string, mode: keyof ByMode<unknown>): string {
  const url = new URL(pooler);
  if (mode === "test") url.pathname += "_test";
  return url.href;
}

/**
 * The pools as a component of a service, which has started once the database responds on each and has the migrations of this
 * folder. The pools for lists open connections on first use, so a service without lists has none.
 */
export function databases({ path, requests, lists, workers }: Pools, migrations: URL): Component {
  const pools = [requests.live, requests.test, workers, path.live, path.test];
  const all = [...pools, lists.live, lists.test];
  return started(pools, { migrations, stop: async () => void (await Promise.all(all.map((pool) => pool.end()))) });
}

export function byMode<Value, Made>({ live, test }: ByMode<Value>, make: (value: Value) => Made): ByMode<Made> {
  return { live: make(live), test: make(test) };
}

/** Creates one value for each mode. */
export const eachMode = <Made>(make: (mode: keyof ByMode<unknown>) => Made): ByMode<Made> => ({
  live: make("live"),
  test: make("test"),
});
