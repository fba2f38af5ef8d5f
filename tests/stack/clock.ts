import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The environment of a process whose clock is shifted. */
export const shiftedClock = (shiftMs: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "shifted-clock.ts"))}`,
  CLOCK_SHIFT_MS: String(shiftMs),
});
