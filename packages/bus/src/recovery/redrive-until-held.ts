import { setTimeout as sleep } from "node:timers/promises";
import { type CountedMinute, countIntakes, findFirstReceived, instantOf, redriveTransfers } from "@collect/contracts";
import type { Bus } from "../connection/connect.ts";
import type { Recover, Recovery } from "./recovery-runner.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 500;
/** When nothing has come for so long, it is all sent round once more. */
const STALLED_MS = 60_000;

/**
 * Has accounts send round again all that it received or completed since a database was restored, and waits until this
 * service holds of every minute up to the recovery what accounts took in.
 */
export async function redriveUntilHeld(options: {
  bus: Bus;
  recovery: Recovery;
  progress: Parameters<Recover>[1];
  kinds: CountedMinute["kind"][];
  held(span: { from: string; to: string }): Promise<CountedMinute[]>;
}): Promise<void> {
  const { bus, recovery, progress, kinds, held } = options;
  const { received_at: from, earlier } = await bus.request(findFirstReceived, { since: recovery.restoredTo });
  // By the database's clock, like all that it is compared with; what came later is not lost.
  const to = instantOf(new Date(Date.parse(recovery.noticedAt) + MINUTE_MS));
  const ranges = [...(from === null ? [] : [{ from, to }]), ...earlier];
  if (ranges.length === 0) return;
  const days = from === null ? [] : daysBetween(Date.parse(from), Date.parse(recovery.noticedAt));
  const before = earlier.flatMap((span) => daysBetween(Date.parse(span.from), Date.parse(span.to) - 1));
  const spans = [...days, ...before];
  const ofKinds = (minutes: CountedMinute[]) => minutes.filter(({ kind }) => kinds.includes(kind));

  async function missing(): Promise<string> {
    const differences = await Promise.all(
      spans.map(async (span) => {
        const { minutes } = await bus.request(countIntakes, span);
        const wanted = ofKinds(minutes.map((minute) => ({ ...minute, sum: BigInt(minute.sum) })));
        return differing(wanted, ofKinds(await held(span)));
      }),
    );
    return differences.flat().join(" ");
  }

  let changedAt = Number.NEGATIVE_INFINITY;
  let stood: string | undefined;
  for (let open = await missing(); open !== ""; open = await missing()) {
    if (open !== stood) changedAt = stood === undefined ? changedAt : performance.now();
    stood = open;
    if (performance.now() - changedAt > STALLED_MS) {
      for (const range of ranges) await bus.request(redriveTransfers, range);
      changedAt = performance.now();
    }
    await progress.step("collections");
    await sleep(LOOK_EVERY_MS, undefined, { signal: progress.signal });
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

/** Minutes of which the two hold more or less than each other, each with what is held of it. */
function differing(wanted: CountedMinute[], held: CountedMinute[]): string[] {
  const written = (minutes: CountedMinute[]) =>
    new Map(
      minutes.map(({ mode, kind, minute, count, sum }) => [`${mode}:${kind}:${Date.parse(minute)}`, `${count}:${sum}`]),
    );
  const [left, right] = [written(wanted), written(held)];
  const keys = new Set([...left.keys(), ...right.keys()]);
  return [...keys].filter((key) => left.get(key) !== right.get(key)).map((key) => `${key}=${right.get(key) ?? "0"}`);
}
