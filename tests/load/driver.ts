import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";

export type Call = { method: "GET" | "POST"; path: string; headers: Record<string, string>; body?: string };

/** Calls over connections that stay open; answers with the status. undici's lowest level, because the load shares the machine with what it measures. */
export function openTarget(origin: string, connections: number) {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  return {
    send: (call: Call) =>
      new Promise<number>((resolve, reject) => {
        let status = 0;
        pool.dispatch(call, {
          onRequestStart() {},
          onResponseStart(_controller, code) {
            status = code;
          },
          onResponseData() {},
          onResponseEnd: () => resolve(status),
          onResponseError: (_controller, error) => reject(error),
        });
      }),
    close: () => pool.destroy(),
  };
}

/** As much as goes: so many workers, each beginning again as soon as it has finished, until the time is over. */
export async function saturate(options: {
  workers: number;
  seconds: number;
  work: () => Promise<void>;
}): Promise<void> {
  const end = performance.now() + options.seconds * 1_000;
  const worker = async () => {
    while (performance.now() < end) await options.work();
  };
  await Promise.all(Array.from({ length: options.workers }, worker));
}

/** At a steady rate, whoever is late: what takes longer is not waited for before the next begins. */
export async function pace(options: { perSecond: number; seconds: number; work: () => Promise<void> }): Promise<void> {
  const start = performance.now();
  const under: Promise<void>[] = [];
  for (let elapsed = 0; elapsed < options.seconds; elapsed = (performance.now() - start) / 1_000) {
    while (under.length < elapsed * options.perSecond) under.push(options.work());
    await sleep(1);
  }
  await Promise.all(under);
}

/** The value below which the given share of them lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
