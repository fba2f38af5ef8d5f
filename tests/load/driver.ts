import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";

export type Call = { method: "GET" | "POST"; path: string; headers: Record<string, string>; body?: string };

/** Sends calls over keep-alive connections; resolves with the status. It uses undici's lowest level, because the load generator shares the machine with the services. */
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

/** Maximum load: each worker repeats its work without a pause until the time is over. */
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

/** A constant arrival rate (open loop): a slow call does not delay the next one. */
export async function pace(options: { perSecond: number; seconds: number; work: () => Promise<void> }): Promise<void> {
  const start = performance.now();
  const pending: Promise<void>[] = [];
  for (let elapsed = 0; elapsed < options.seconds; elapsed = (performance.now() - start) / 1_000) {
    while (pending.length < elapsed * options.perSecond) pending.push(options.work());
    await sleep(1);
  }
  await Promise.all(pending);
}

/** The value below which the given share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
