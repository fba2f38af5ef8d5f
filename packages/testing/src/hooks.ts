import type { ServiceName } from "@collect/contracts";
import { createPool, KEY_LOOKUPS_ONLY, type Pool } from "@collect/database";
import { afterAll } from "vitest";
import { openWorld, type World } from "./world.ts";

type Service = { service: ServiceName; directory: string };

/**
 * A world that lasts as long as the test file that calls this. Vitest runs hooks that end something in reverse order, so
 * what a file starts and registers afterwards is stopped before the world closes.
 */
export async function useWorld(options: Service): Promise<World> {
  const world = await openWorld(options);
  afterAll(() => world.close());
  return world;
}

/** A pool of one connection, whose statements keep the plans that they were given first: by default, those of the path of money. */
export function usePlans(
  { database, log }: World,
  { service, settings = KEY_LOOKUPS_ONLY }: { service: ServiceName; settings?: string[] },
): Pool {
  const pool = createPool({ url: database.service, service, log, max: 1, settings });
  afterAll(() => pool.end());
  return pool;
}
