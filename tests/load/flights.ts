import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Transfers in flight, identified by their amounts: the nth is BASE_KOBO + n. A duplicate arrival counts once. */
export type Flights = {
  /** Records the departure of the next transfer and returns its number. */
  depart(): number;
  departed(): number;
  arrived(): number;
  /** Resolves once fewer than `limit` are in flight. */
  belowLimit(limit: number): Promise<void>;
  /** Milliseconds from the POST to the bank door until the receiver had the webhook, of those that departed from number `from` on. */
  latencies(from: number): number[];
};

const BASE_KOBO = 100_000;
/** The transfers that one bench run can distinguish: several times what it sends. */
const CAPACITY = 2_000_000;

export const nairaOf = (flight: number): string => ((BASE_KOBO + flight) / 100).toFixed(2);

/** A merchant's server that only records arrivals and their times. It verifies no signature: that would add its own cost. */
export async function openReceiver(): Promise<{ url: string; flights: Flights; close(): Promise<void> }> {
  const departures = new Float64Array(CAPACITY);
  const arrivals = new Float64Array(CAPACITY);
  let departed = 0;
  let arrived = 0;
  let waiting: (() => void)[] = [];

  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("latin1");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      arrive(flightOf(body));
      response.end();
    });
  });
  server.keepAliveTimeout = 60_000;

  function arrive(flight: number): void {
    if (arrivals[flight] !== 0) return;
    arrivals[flight] = performance.now();
    arrived++;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    flights: {
      depart() {
        if (departed === CAPACITY) throw new Error("more transfers than the bench can distinguish");
        departures[departed] = performance.now();
        return departed++;
      },
      departed: () => departed,
      arrived: () => arrived,
      async belowLimit(limit) {
        while (departed - arrived >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
      },
      latencies: (from) =>
        Array.from({ length: departed - from }, (_, n) => (arrivals[from + n] ?? 0) - (departures[from + n] ?? 0)),
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The first amount in the body is the transfer's, in our webhooks as in the bare chain's. */
function flightOf(body: string): number {
  const [, naira] = /"amount":([\d.]+)/.exec(body) ?? [];
  if (naira === undefined) throw new Error("a webhook without an amount");
  return Math.round(Number(naira) * 100) - BASE_KOBO;
}
