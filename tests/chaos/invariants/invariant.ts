import type { World } from "../world.ts";

/** What must be true at the end, whatever was done to the stack. Answers with a line for each thing that is not. */
export type Invariant = (world: World) => Promise<string[]>;

const SHOWN = 5;

/** A few of many, so that a broken run can still be read. */
export function listed(what: string, all: readonly string[]): string[] {
  if (all.length === 0) return [];
  const more = all.length > SHOWN ? `; and ${all.length - SHOWN} more` : "";
  return [`${what} (${all.length}): ${all.slice(0, SHOWN).join("; ")}${more}`];
}
