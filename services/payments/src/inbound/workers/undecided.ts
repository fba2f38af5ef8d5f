import { setTimeout as sleep } from "node:timers/promises";
import type { Bus, Recover } from "@collect/bus";
import { redriveTransfers } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { UNDECIDED } from "../domain/decided.ts";
import { undecidedSpans } from "../store/undecided-collections.ts";

const POLL_INTERVAL_MS = 500;
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
  const drive = async () => {
    for (const { mode, from, to } of open) await bus.request(redriveTransfers, { mode, from, to });
  };
  await drive();
  let changedAt = performance.now();
  for (let previous = ""; open.length > 0; open = await undecidedSpans(pool)) {
    await progress.step(UNDECIDED);
    const seen = open.map(({ mode, count, from }) => `${mode}:collection:${from}=${count}`);
    if (seen.join(" ") !== previous) changedAt = performance.now();
    previous = seen.join(" ");
    if (performance.now() - changedAt > STALLED_MS) {
      progress.waitsFor(seen);
      await drive();
      changedAt = performance.now();
    }
    await sleep(POLL_INTERVAL_MS, undefined, { signal: progress.signal });
  }
  return true;
}
