import { setTimeout as sleep } from "node:timers/promises";
import { type Bus, driveUntilStored, type Recover } from "@collect/bus";
import { redriveTransfers } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { UNDECIDED } from "../domain/decided.ts";
import { undecidedSpans } from "../store/undecided-collections.ts";

/** After this long without progress, they are driven once more. */
const STALLED_MS = 30_000;
/** Other replicas learn of the step by their heartbeats, and would put off again what comes before. */
const STEP_KNOWN_AFTER_MS = 1_000;

/**
 * Has accounts drive the collections that were put off once more, and waits until all are stored. Returns whether there were any. Run only
 * when everything that was decided is repeated: sessions are then what they were.
 */
export async function decideUndecided(
  { pool, bus }: { pool: Pool; bus: Bus },
  progress: Parameters<Recover>[1],
): Promise<boolean> {
  let open = await undecidedSpans(pool);
  if (open.length === 0) return false;
  await progress.step(UNDECIDED);
  await sleep(STEP_KNOWN_AFTER_MS, undefined, { signal: progress.signal });
  await driveUntilStored({
    ...{ progress, step: UNDECIDED, stalledMs: STALLED_MS },
    async missing() {
      open = await undecidedSpans(pool);
      return open.map(({ mode, count, from }) => `${mode}:collection:${from}=${count}`);
    },
    async drive() {
      for (const { mode, from, to } of open) await bus.request(redriveTransfers, { mode, from, to });
    },
  });
  return true;
}
