import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@collect/testing";
import type { Stack } from "../stack.ts";
import type { Traffic } from "./traffic.ts";

/** How long webhooks stood still, and the longest that one took from the payment to its arrival, in milliseconds. */
export type Standstill = { gapMs: number; slowestMs: number };

export type PacedTraffic = {
  /** Lets the fault happen while transfers flow, until those that were reported before and in the second after it have arrived. */
  standstillDuring(fault: () => Promise<unknown>): Promise<Standstill>;
  stop(): Promise<void>;
};

const BEFORE_MS = 1_500;
const AFTER_MS = 1_000;
const ARRIVED_WITHIN_MS = 60_000;

/** A bank that reports a fixed number of transfers a second, whatever becomes of them, and watches the webhooks arrive. */
export function startPacedTraffic(stack: Stack, traffic: Traffic, { perSecond }: { perSecond: number }): PacedTraffic {
  const arrivals: { at: number; tookMs: number }[] = [];
  const arrived = new Set<string>();
  stack.receiver.behave((response, { headers, body }) => {
    response.end("ok");
    const id = String(headers["webhook-id"]);
    if (arrived.has(id)) return;
    arrived.add(id);
    const { paid_at } = body.data as { paid_at: string };
    arrivals.push({ at: performance.now(), tookMs: Date.now() - Date.parse(paid_at) });
  });
  const reporting: Promise<void>[] = [];
  const timer = setInterval(() => reporting.push(traffic.flow(1)), 1_000 / perSecond);

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
      const gaps = during.slice(1).map(({ at }, index) => at - (during[index]?.at ?? at));
      return { gapMs: Math.round(Math.max(...gaps)), slowestMs: Math.max(...during.map(({ tookMs }) => tookMs)) };
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(reporting);
    },
  };
}
