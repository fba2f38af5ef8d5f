import type { ServiceName } from "@collect/contracts";
import { afterAll } from "vitest";
import { openWorld, type World } from "./world.ts";

/**
 * A world that lasts as long as the test file that calls this. Vitest runs hooks that end something in reverse order, so
 * what a file starts and registers afterwards is stopped before the world closes.
 */
export async function useWorld(options: { service: ServiceName; directory: string }): Promise<World> {
  const world = await openWorld(options);
  afterAll(() => world.close());
  return world;
}
