import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Tracks transfers from the bank door to the receiver by their amounts: the nth is BASE_KOBO + n kobo. A duplicate arrival counts once. */
export type TransferTracker = {
  /** Records the start of the next transfer and returns its number. */
  start(): number;
  started(): number;
  arrived(): number;
  /** Resolves once fewer than `limit` are in flight. */
  belowLimit(limit: number): Promise<void>;
  /** Milliseconds from the POST to the bank door until the receiver had the webhook, for every transfer from number `from` on. */
  latencies(from: number): number[];
};

const BASE_KOBO = 100_000;
/** The transfers that one bench run can distinguish: several times what it sends. */
const CAPACITY = 2_000_000;

export const nairaOf = (number: number): string => ((BASE_KOBO + number) / 100).toFixed(2);

/** A merchant's server that only records when each transfer arrives. It verifies no signature: that would add its own cost. */
export async function openReceiver(): Promise<{ url: string; tracker: TransferTracker; close(): Promise<void> }> {
  const startTimes = new Float64Array(CAPACITY);
  const arrivalTimes = new Float64Array(CAPACITY);
  let started = 0;
  let arrived = 0;
  let waiting: (() => void)[] = [];

  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("latin1");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      arrive(numberOf(body));
      response.end();
    });
  });
  server.keepAliveTimeout = 60_000;

  function arrive(number: number): void {
    if (arrivalTimes[number] !== 0) return;
    arrivalTimes[number] = performance.now();
    arrived++;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    tracker: {
      start() {
        if (started === CAPACITY) throw new Error("more transfers than the bench can distinguish");
        startTimes[started] = performance.now();
        return started++;
      },
      started: () => started,
      arrived: () => arrived,
      async belowLimit(limit) {
        while (started - arrived >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
      },
      latencies: (from) =>
        Array.from({ length: started - from }, (_, n) => (arrivalTimes[from + n] ?? 0) - (startTimes[from + n] ?? 0)),
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The first amount in the body is the transfer's, in our webhooks as in the bare chain's. */
function numberOf(body: string): number {
  const [, naira] = /"amount":([\d.]+)/.exec(body) ?? [];
  if (naira === undefined) throw new Error("a webhook without an amount");
  return Math.round(Number(naira) * 100) - BASE_KOBO;
}
