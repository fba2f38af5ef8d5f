import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../stack.ts";
import { openTarget, percentile, saturate } from "./driver.ts";
import { type Path, reportOf } from "./end-to-end.ts";
import { descendants } from "./processes.ts";
import type { TransferTracker } from "./transfer-tracker.ts";

/** The backlog after an outage of a consumer, and how fast it is drained while transfers keep arriving. */
export type OutageFigures = {
  outageSeconds: number;
  /** Transfers that were acknowledged and had no event when the ledger came back. */
  waiting: number;
  /** From the bank door to the receiver without a backlog: the capacity of the path. */
  bestPerSecond: number;
  /** While the backlog was drained: in the first five seconds from the first arrival, and at the 10th percentile of all seconds. */
  firstPerSecond: number;
  slowestPerSecond: number;
  meanPerSecond: number;
  recoveredAfterSeconds: number;
  /** Peak memory of each process, in MB. */
  peakMb: Record<string, number>;
};

const CONNECTIONS = 128;
/** Transfers received per second while the backlog is drained. */
const PER_SECOND = 300;
const RECOVER_WITHIN_S = 600;

export async function measureOutage(stack: Stack, path: Path, seconds: number): Promise<OutageFigures> {
  const { tracker } = path;
  const target = openTarget(path.door.url, CONNECTIONS);
  const run = randomBytes(6).toString("hex");
  const report = async () => {
    const status = await target.send(reportOf(path, run, tracker.start()));
    if (status !== 200) throw new Error(`the bank door answered ${status}`);
  };
  const reportBelow = async () => tracker.belowLimit(2_048).then(report);
  try {
    await saturate({ workers: CONNECTIONS, seconds: 5, work: reportBelow });
    const [arrived, began] = [tracker.arrived(), performance.now()];
    await saturate({ workers: CONNECTIONS, seconds: 10, work: reportBelow });
    const bestPerSecond = ((tracker.arrived() - arrived) / (performance.now() - began)) * 1_000;

    const ledger = stack.service("ledger");
    await ledger.kill9();
    await saturate({ workers: CONNECTIONS, seconds, work: report });
    const waiting = tracker.started() - tracker.arrived();
    await ledger.restart();
    const recovery = await recover(tracker, () => void report().catch(() => {}));
    return { outageSeconds: seconds, waiting, bestPerSecond, ...recovery, peakMb: peakMegabytes() };
  } finally {
    await target.close();
  }
}

/** Samples the arrivals every second, while new transfers are received, until no more are in flight than normally. */
async function recover({ arrived, started }: TransferTracker, report: () => void) {
  const perSecond: number[] = [];
  const back = performance.now();
  for (let last = arrived(); started() - arrived() > PER_SECOND; last = arrived()) {
    const began = performance.now();
    if (began - back > RECOVER_WITHIN_S * 1_000) throw new Error(`${started() - arrived()} have not arrived`);
    for (let n = 0; n < PER_SECOND; n++) report();
    await sleep(1_000);
    perSecond.push(((arrived() - last) / (performance.now() - began)) * 1_000);
  }
  const recoveredAfterSeconds = (performance.now() - back) / 1_000;
  const flowing = perSecond.slice(perSecond.findIndex((rate) => rate > 0));
  const mean = (rates: number[]) => rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return {
    firstPerSecond: mean(flowing.slice(0, 5)),
    slowestPerSecond: percentile(flowing.slice(0, -1), 0.1),
    meanPerSecond: mean(flowing),
    recoveredAfterSeconds,
  };
}

/** The kernel's high-water mark of each process's resident memory; for PostgreSQL and NATS, that of their largest process. */
export function peakMegabytes(): Record<string, number> {
  const peaks: Record<string, number> = {};
  for (const { pid, name } of descendants(process.pid)) {
    const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB/m.exec(readStatus(pid)) ?? [];
    peaks[name] = Math.max(peaks[name] ?? 0, Number(kilobytes) / 1_024);
  }
  return peaks;
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
