import type { Caller } from "../http.ts";
import type { Random } from "../random.ts";
import type { World } from "../world.ts";

/** What every kind of traffic shares: it goes on by itself until `pause`, and what it has begun it finishes. */
export type Context = {
  world: World;
  random: Random;
  bank: Caller;
  merchantApi: Caller;
  /** Counted until it is done, so that the end of a run can wait for it. What it throws becomes an oddity. */
  launch(work: () => Promise<unknown>): void;
  underWay(): number;
};

export function authorization(key: string) {
  return { authorization: `Bearer ${key}` };
}
