import { setTimeout as sleep } from "node:timers/promises";
import { redriveReversals, type WireResult } from "@collect/contracts";
import type { Bus } from "../connection/connect.ts";
import { pages } from "./pages.ts";
import type { Recover, Recovery } from "./recovery-runner.ts";

export type RedrivenReversal = WireResult<typeof redriveReversals>["rows"][number];

const POLL_INTERVAL_MS = 500;
/** After this long, a page that is not stored is driven once more. */
const STALLED_MS = 35_000;

/**
 * Has accounts drive the reversals since the restore point once more, a page at a time, and waits until each page is stored. `missing` are
 * the ids of those that are not.
 */
export async function redriveReversalsUntilStored(options: {
  bus: Bus;
  recovery: Recovery;
  progress: Parameters<Recover>[1];
  step: string;
  missing(reversals: RedrivenReversal[]): Promise<string[]>;
}): Promise<void> {
  const { bus, recovery, progress, step, missing } = options;
  const read = (after: Parameters<Parameters<typeof pages>[0]>[0]) =>
    bus.request(redriveReversals, { since: recovery.restoredTo, after });
  await progress.step(step);
  let after: Parameters<typeof read>[0] = null;
  for await (const page of pages(read)) {
    let drivenAt = performance.now();
    for (let open = await missing(page); open.length > 0; open = await missing(page)) {
      await progress.step(step);
      if (performance.now() - drivenAt > STALLED_MS) {
        progress.waitsFor(open);
        await read(after);
        drivenAt = performance.now();
      }
      await sleep(POLL_INTERVAL_MS, undefined, { signal: progress.signal });
    }
    const last = page.at(-1);
    if (last) after = { at: last.received_at, key: last.intake_id };
  }
}
