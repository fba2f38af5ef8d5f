import type { World } from "../world.ts";

/** A property that must hold at the end, whatever was done to the stack. Returns a line for each violation. */
export type Invariant = (world: World) => Promise<string[]>;

const LISTED_MAX = 5;

/** Lists only the first few, so that the report of a failed run stays readable. */
export function listed(what: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const more = all.length > LISTED_MAX ? `; and ${all.length - LISTED_MAX} more` : "";
  return [`${what} (${all.length}): ${all.slice(0, LISTED_MAX).join("; ")}${more}`];
}
