import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { SIGNATURE_HEADER, signBody } from "@collect/bank";
import { type Call, openTarget, pace, percentile, saturate } from "./driver.ts";
import { type Flights, nairaOf } from "./flights.ts";
import { processorClock } from "./processes.ts";

/** Connections to the bank door, each with one report at a time. */
const CONNECTIONS = 128;
/** Transfers between the door and the receiver at saturation: more only wait longer. */
const UNDER_WAY = 2_048;
const WARM_UP_SECONDS = 5;
const QUARTER_SECONDS = 10;
/** Everything that was answered 200 has to arrive; this long after the last report at most. */
const DRAIN_MS = 30_000;

export type Road = { door: { url: string; secret: string }; accounts: string[]; flights: Flights };
export type RoadFigures = {
  collectionsPerSecond: number;
  quarter: { collectionsPerSecond: number; p50Ms: number; p99Ms: number };
  /** Microseconds of processor time that one collection takes at saturation, by process; `load` is this one. */
  processorUs: Record<string, number>;
};

/** From a signed POST to the bank door until the receiver has the webhook: first flat out, then at a quarter of what that was. */
export async function measureRoad(road: Road, seconds: number): Promise<RoadFigures> {
  const { flights } = road;
  const target = openTarget(road.door.url, CONNECTIONS);
  const run = randomBytes(6).toString("hex");
  const report = async () => {
    await flights.belowLimit(UNDER_WAY);
    const flight = flights.depart();
    const status = await target.send(reportOf(road, run, flight));
    if (status !== 200) throw new Error(`the bank door answered ${status}`);
  };
  try {
    await saturate({ workers: CONNECTIONS, seconds: WARM_UP_SECONDS, work: report });
    const processorTime = processorClock();
    const arrivedBefore = flights.arrived();
    const start = performance.now();
    await saturate({ workers: CONNECTIONS, seconds, work: report });
    const collections = flights.arrived() - arrivedBefore;
    const collectionsPerSecond = (collections / (performance.now() - start)) * 1_000;
    const processorUs = processorTime(collections);
    await drained(flights);

    const perSecond = collectionsPerSecond / 4;
    await pace({ perSecond, seconds: WARM_UP_SECONDS, work: report });
    const first = flights.departed();
    await pace({ perSecond, seconds: Math.min(seconds, QUARTER_SECONDS), work: report });
    await drained(flights);
    const latencies = flights.latencies(first);
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

async function drained(flights: Flights): Promise<void> {
  const late = sleep(DRAIN_MS, "late", { ref: false });
  if ((await Promise.race([flights.belowLimit(1), late])) === "late")
    throw new Error(`${flights.departed() - flights.arrived()} transfers were accepted but have not arrived`);
}

/** A transfer as a bank reports it. Every account has its own payer, who pays repeatedly. */
export function reportOf({ door, accounts }: Road, run: string, flight: number): Call {
  const customer = flight % accounts.length;
  const body = `{"id":"${run}-${flight}","account_number":"${accounts[customer]}","amount":${nairaOf(flight)},"currency":"NGN","payer":{"name":"Payer ${customer}","account_number":"${9_000_000_000 + customer}","bank_name":"Harbour Bank"},"narration":"Invoice ${flight}","paid_at":"${new Date().toISOString()}"}`;
  return {
    method: "POST",
    path: "/bank/transfers",
    headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signBody(body, door.secret) },
    body,
  };
}
