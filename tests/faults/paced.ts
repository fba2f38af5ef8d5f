import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@collect/testing";
import type { Stack } from "../stack.ts";
import type { Traffic } from "./traffic.ts";

export type PacedTraffic = {
  /**
   * Lets the fault happen while transfers flow, until as many webhooks have arrived as transfers were reported before and in
   * the second after it. Returns how long webhooks stood still, in milliseconds.
   */
  standstillDuring(fault: () => Promise<unknown>): Promise<number>;
  /** Rejects if a transfer was not reported. Can be repeated. */
  stop(): Promise<void>;
};

const BEFORE_MS = 1_500;
const AFTER_MS = 1_000;
const ARRIVED_WITHIN_MS = 60_000;

/** A bank that reports a fixed number of transfers a second, whatever becomes of them, and watches the webhooks arrive. */
export function startPacedTraffic(stack: Stack, traffic: Traffic, { perSecond }: { perSecond: number }): PacedTraffic {
  const arrivals: number[] = [];
  const arrived = new Set<string>();
  stack.receiver.behave((response, { headers }) => {
    response.end("ok");
    const id = String(headers["webhook-id"]);
    if (arrived.has(id)) return;
    arrived.add(id);
    arrivals.push(performance.now());
  });
  const reporting: Promise<void>[] = [];
  const failures: unknown[] = [];
  const report = () => traffic.flow(1).catch((error) => void failures.push(error));
  const timer = setInterval(() => reporting.push(report()), 1_000 / perSecond);

  async function untilArrived(): Promise<void> {
    const count = traffic.acknowledged.size;
    await until(`${count} webhooks have arrived`, () => arrived.size >= count, ARRIVED_WITHIN_MS);
  }

  return {
    async standstillDuring(fault) {
      await sleep(BEFORE_MS);
      await untilArrived();
      const from = arrivals.length - 1;
      await fault();
      await sleep(AFTER_MS);
      await untilArrived();
      const during = arrivals.slice(from);
      return Math.round(Math.max(...during.slice(1).map((at, index) => at - (during[index] ?? at))));
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(reporting);
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} transfers were not reported`);
    },
  };
}
