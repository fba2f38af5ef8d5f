import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { createMonnify, type MonnifyPartner } from "../../src/monnify/partner.ts";

/** A request as the adapter must make it, and the response as Monnify gives it. A body that is a string is sent as it is. */
export type Exchange = {
  request: { method: string; path: string; authorization: string; body?: object };
  response: { status: number; body: object | string };
};

export const credentials = {
  apiKey: "MK_OF_THE_TESTS",
  secretKey: "secret key of the tests",
  contractCode: "1234567890",
};
const BASIC = `Basic ${Buffer.from(`${credentials.apiKey}:${credentials.secretKey}`).toString("base64")}`;

/**
 * The adapter, and a server that plays the exchanges in their order: a request that is not the next one gets a 599, and stands
 * in `unexpected`.
 */
export async function replaying(exchanges: Exchange[]) {
  const left = [...exchanges];
  const unexpected: object[] = [];
  const server = createServer(async (request, response) => {
    const made = await madeBy(request);
    const next = left.shift();
    if (!next || JSON.stringify(sorted(made)) !== JSON.stringify(sorted(next.request))) {
      unexpected.push({ made, instead: next?.request });
      return void response.writeHead(599).end();
    }
    const { status, body } = next.response;
    const bytes = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json" }).end(bytes);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const monnify: MonnifyPartner = createMonnify({
    ...{ url: `http://127.0.0.1:${port}/`, timeoutMs: 5_000, payouts: { sourceAccountNumber: "8016472829" } },
    ...credentials,
  });
  return { monnify, left, unexpected };
}

async function madeBy(request: IncomingMessage): Promise<Exchange["request"]> {
  const bytes = await text(request);
  const { authorization = "" } = request.headers;
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    authorization: authorization === BASIC ? "Basic" : authorization,
    ...(bytes && { body: JSON.parse(bytes) }),
  };
}

/** With all keys in one order. */
const sorted = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .sort()
          .map(([key, inner]) => [key, sorted(inner)]),
      )
    : value;
