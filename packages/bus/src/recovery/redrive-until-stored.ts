import { setTimeout as sleep } from "node:timers/promises";
import { type CountedMinute, countIntakes, findFirstReceived, instantOf, redriveTransfers } from "@collect/contracts";
import type { Bus } from "../connection/connect.ts";
import type { Recover, Recovery } from "./recovery-runner.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const POLL_INTERVAL_MS = 500;
/** After this long without progress, everything is republished. */
const STALLED_MS = 60_000;

/**
 * Has accounts republish all transfers that it received or completed since the restore point, and waits until this
 * service has recorded the same transfers as accounts for every minute up to the recovery.
 */
export async function redriveUntilStored(options: {
  bus: Bus;
  recovery: Recovery;
  progress: Parameters<Recover>[1];
  kinds: CountedMinute["kind"][];
  held(span: { from: string; to: string }): Promise<CountedMinute[]>;
}): Promise<void> {
  const { bus, recovery, progress, kinds, held } = options;
  const { received_at: from, earlier } = await bus.request(findFirstReceived, { since: recovery.restoredTo });
  // By the database's clock, like everything it is compared with. Later transfers are not lost.
  const to = instantOf(new Date(Date.parse(recovery.noticedAt) + MINUTE_MS));
  const ranges = [...(from === null ? [] : [{ from, to }]), ...earlier];
  if (ranges.length === 0) return;
  const days = from === null ? [] : daysBetween(Date.parse(from), Date.parse(recovery.noticedAt));
  const before = earlier.flatMap((span) => daysBetween(Date.parse(span.from), Date.parse(span.to) - 1));
  const spans = [...days, ...before];
  const ofKinds = (minutes: CountedMinute[]) => minutes.filter(({ kind }) => kinds.includes(kind));

  async function missing(): Promise<string[]> {
    const differences = await Promise.all(
      spans.map(async (span) => {
        const { minutes } = await bus.request(countIntakes, span);
        const expected = ofKinds(minutes.map((minute) => ({ ...minute, sum: BigInt(minute.sum) })));
        return differing(expected, ofKinds(await held(span)));
      }),
    );
    return differences.flat();
  }

  const drive = async () => {
    for (const range of ranges) await bus.request(redriveTransfers, range);
  };
  await driveUntilStored({ progress, step: "collections", stalledMs: STALLED_MS, missing, drive });
}

/** Drives what is missing, waits until nothing is, and drives once more whenever what is missing has not changed for `stalledMs`. */
export async function driveUntilStored(options: {
  progress: Parameters<Recover>[1];
  step: string;
  stalledMs: number;
  missing(): Promise<string[]>;
  drive(): Promise<void>;
}): Promise<void> {
  const { progress, step, stalledMs, missing, drive } = options;
  let previous: string | undefined;
  let changedAt = Number.NEGATIVE_INFINITY;
  for (let open = await missing(); open.length > 0; open = await missing()) {
    const seen = open.join(" ");
    if (seen !== previous && previous !== undefined) changedAt = performance.now();
    previous = seen;
    if (performance.now() - changedAt > stalledMs) {
      // At first nothing was driven yet.
      if (Number.isFinite(changedAt)) progress.waitsFor(open);
      await drive();
      changedAt = performance.now();
    }
    await progress.step(step);
    await sleep(POLL_INTERVAL_MS, undefined, { signal: progress.signal });
  }
}

/** Whole minutes, in spans of at most a day. */
function daysBetween(first: number, last: number): { from: string; to: string }[] {
  const end = Math.floor(last / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  const spans: { from: string; to: string }[] = [];
  for (let at = Math.floor(first / MINUTE_MS) * MINUTE_MS; at < end; at += DAY_MS)
    spans.push({ from: instantOf(new Date(at)), to: instantOf(new Date(Math.min(at + DAY_MS, end))) });
  return spans;
}

/** The minutes in which the two services differ, each with this service's count and sum. */
function differing(expected: CountedMinute[], held: CountedMinute[]): string[] {
  const toMap = (minutes: CountedMinute[]) =>
    new Map(
      minutes.map(({ mode, kind, minute, count, sum }) => [`${mode}:${kind}:${Date.parse(minute)}`, `${count}:${sum}`]),
    );
  const [left, right] = [toMap(expected), toMap(held)];
  const keys = new Set([...left.keys(), ...right.keys()]);
  return [...keys].filter((key) => left.get(key) !== right.get(key)).map((key) => `${key}=${right.get(key) ?? "0"}`);
}
