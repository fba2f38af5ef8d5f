import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { type Call, openTarget, pace, percentile, saturate } from "./driver.ts";
import { processorClock } from "./processes.ts";
import { nairaOf, type TransferTracker } from "./transfer-tracker.ts";

/** Connections to the bank door, each with one report at a time. */
const CONNECTIONS = 128;
/** Transfers in flight between the bank door and the receiver at saturation: more would only wait longer. */
const IN_FLIGHT_MAX = 2_048;
const WARM_UP_SECONDS = 5;
const QUARTER_SECONDS = 10;
/** Every transfer that was answered with 200 must arrive within this time of the last report. */
const DRAIN_MS = 30_000;

export type Path = { door: { url: string; secret: string }; accounts: string[]; tracker: TransferTracker };
export type PathFigures = {
  collectionsPerSecond: number;
  quarter: { collectionsPerSecond: number; p50Ms: number; p99Ms: number };
  /** Microseconds of processor time per collection at saturation, by process; `load` is this one. */
  processorUs: Record<string, number>;
};

/** From a signed POST to the bank door until the receiver has the webhook: first at saturation, then at a quarter of that rate. */
export async function measurePath(path: Path, seconds: number): Promise<PathFigures> {
  const { tracker } = path;
  const target = openTarget(path.door.url, CONNECTIONS);
  const run = randomBytes(6).toString("hex");
  const report = async () => {
    await tracker.belowLimit(IN_FLIGHT_MAX);
    const number = tracker.start();
    const status = await target.send(reportOf(path, run, number));
    if (status !== 200) throw new Error(`the bank door answered ${status}`);
  };
  try {
    await saturate({ workers: CONNECTIONS, seconds: WARM_UP_SECONDS, work: report });
    const processorTime = processorClock();
    const arrivedBefore = tracker.arrived();
    const start = performance.now();
    await saturate({ workers: CONNECTIONS, seconds, work: report });
    const collections = tracker.arrived() - arrivedBefore;
    const collectionsPerSecond = (collections / (performance.now() - start)) * 1_000;
    const processorUs = processorTime(collections);
    await drained(tracker);

    const perSecond = collectionsPerSecond / 4;
    await pace({ perSecond, seconds: WARM_UP_SECONDS, work: report });
    const first = tracker.started();
    await pace({ perSecond, seconds: Math.min(seconds, QUARTER_SECONDS), work: report });
    await drained(tracker);
    const latencies = tracker.latencies(first);
    return {
      collectionsPerSecond,
      quarter: {
        collectionsPerSecond: perSecond,
        p50Ms: percentile(latencies, 0.5),
        p99Ms: percentile(latencies, 0.99),
      },
      processorUs,
    };
  } finally {
    await target.close();
  }
}

async function drained(tracker: TransferTracker): Promise<void> {
  const late = sleep(DRAIN_MS, "late", { ref: false });
  if ((await Promise.race([tracker.belowLimit(1), late])) === "late")
    throw new Error(`${tracker.started() - tracker.arrived()} transfers were accepted but have not arrived`);
}

/** A transfer as a bank reports it. Every account has its own payer, who pays repeatedly. */
export function reportOf({ door, accounts }: Path, run: string, number: number): Call {
  const customer = number % accounts.length;
  const body = `{"id":"${run}-${number}","account_number":"${accounts[customer]}","amount":${nairaOf(number)},"currency":"NGN","payer":{"name":"Payer ${customer}","account_number":"${9_000_000_000 + customer}","bank_name":"Harbour Bank"},"narration":"Invoice ${number}","paid_at":"${new Date().toISOString()}"}`;
  return {
    method: "POST",
    path: "/bank/transfers",
    headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signBody(body, door.secret) },
    body,
  };
}
