import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Problem } from "@collect/contracts";
import { onTestFinished } from "vitest";
import { createLocalPartner, verifyCall } from "../../src/index.ts";

export const bank = { code: "729", name: "Harbour Bank", secret: "partner-secret" };
export const DOOR_SECRET = "door-secret";

/** The partner bank as a real HTTP server whose responses the test defines. */
export async function partner(answer: RequestListener, timeoutMs = 5_000) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v2/`;
  const local = createLocalPartner({ ...bank, url, doorSecrets: [DOOR_SECRET], timeoutMs });
  return { server, local, issuer: local.issuer, payouts: local.payouts };
}

export const json = (status: number, body: unknown) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/** Whether the request carries the signature of itself with this body and the secret. */
export function isSigned(request: IncomingMessage | undefined, body: string, secret: string): boolean {
  if (!request) return false;
  const call = { method: request.method ?? "", target: request.url ?? "", body };
  return verifyCall(call, request.headers, [secret], new Date()) !== undefined;
}

export async function problem(call: Promise<unknown>): Promise<Problem> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Problem) return error;
  throw new Error("no Problem was thrown", { cause: error });
}
