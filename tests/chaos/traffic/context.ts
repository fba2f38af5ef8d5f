import type { Caller } from "../http.ts";
import type { Random } from "../random.ts";
import type { World } from "../world.ts";

/** The shared context of all kinds of traffic. */
export type Context = {
  world: World;
  random: Random;
  bank: Caller;
  merchantApi: Caller;
  /** Counts the work until it is finished, so that the end of a run can wait for it. An error becomes an anomaly. */
  launch(work: () => Promise<unknown>): void;
  inProgress(): number;
};

export function authorization(key: string) {
  return { authorization: `Bearer ${key}` };
}
