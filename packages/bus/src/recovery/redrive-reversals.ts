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
 * Has accounts drive the reversals since the restore point once more, a page at a time, and waits until each page is stored, as far as it is
 * not closed. `missing` are the ids of those that are not stored.
 */
export async function redriveReversalsUntilStored(options: {
  bus: Bus;
  recovery: Recovery;
  progress: Parameters<Recover>[1];
  step: string;
  missing(reversals: RedrivenReversal[]): Promise<string[]>;
  stalledMs?: number;
}): Promise<void> {
  const { bus, recovery, progress, step, missing, stalledMs = STALLED_MS } = options;
  const read = (after: Parameters<Parameters<typeof pages>[0]>[0]) =>
    bus.request(redriveReversals, { since: recovery.restoredTo, after });
  await progress.step(step);
  let after: Parameters<typeof read>[0] = null;
  for await (const listed of pages(read)) {
    let page = listed;
    let drivenAt = performance.now();
    for (let open = await missing(page); open.length > 0; open = await missing(page)) {
      await progress.step(step);
      if (performance.now() - drivenAt > stalledMs) {
        progress.waitsFor(open);
        page = stillListed(page, await read(after));
        drivenAt = performance.now();
      }
      await sleep(POLL_INTERVAL_MS, undefined, { signal: progress.signal });
    }
    const last = listed.at(-1);
    if (last) after = { at: last.received_at, key: last.intake_id };
  }
}

/** What an operator has closed meanwhile comes no more. What the same page no longer reaches is still waited for. */
function stillListed(
  page: RedrivenReversal[],
  { rows, next }: WireResult<typeof redriveReversals>,
): RedrivenReversal[] {
  const ids = new Set(rows.map(({ intake_id }) => intake_id));
  const isReached = ({ received_at }: RedrivenReversal) =>
    next === null || Date.parse(received_at) < Date.parse(next.at);
  return page.filter((row) => ids.has(row.intake_id) || !isReached(row));
}
