import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "./until.ts";

export type Received = { path: string; headers: IncomingHttpHeaders; raw: Buffer; body: Record<string, unknown> };

/** A merchant's server: a real HTTP server that records deliveries and responds as configured (200 by default). */
export type WebhookReceiver = {
  url: string;
  received: Received[];
  /** Sets the response to further deliveries. */
  behave(answer: (response: ServerResponse, delivery: Received) => void): void;
  count(n: number): Promise<Received[]>;
  stop(): Promise<void>;
};

export async function startReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let answer = (response: ServerResponse, _delivery: Received): void => {
    response.end("ok");
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      const delivery = { path: request.url ?? "", headers: request.headers, raw, body: JSON.parse(raw.toString()) };
      received.push(delivery);
      answer(response, delivery);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (next) => {
      answer = next;
    },
    count: (n) => until(`${n} deliveries`, () => received.length >= n && received),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The merchant's signature check: HMAC-SHA512 over the raw bytes, compared in constant time. */
export function isSigned({ headers, raw }: Received, secret: string): boolean {
  const expected = createHmac("sha512", secret).update(raw).digest();
  const given = Buffer.from(String(headers["x-service-signature"] ?? ""), "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
