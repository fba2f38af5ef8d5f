import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { createMonnify, type MonnifyOptions, type Notifications } from "@collect/bank";
import { Problem } from "@collect/contracts";
import { onTestFinished } from "vitest";
import { simulateMonnify } from "../../src/monnify/bank.ts";
import { addressOf, log, PATIENT_MS, served } from "../simulator.ts";

export const credentials = {
  apiKey: "MK_OF_THE_TESTS",
  secretKey: "secret key of the tests",
  contractCode: "1234567890",
};
export const sourceAccountNumber = "8016472829";

/** The simulated Monnify, and the adapter that talks to it. */
export async function simulator({
  doorUrl = "http://127.0.0.1:1",
  dataDirectory,
}: {
  doorUrl?: string;
  dataDirectory?: string;
} = {}) {
  const access = { ...credentials, sourceAccount: sourceAccountNumber };
  const { url, stop } = await served(
    simulateMonnify({ log, access, doorUrl, ...(dataDirectory && { dataDirectory }) }),
  );
  const base = `${url}/monnify`;

  async function control(path: string, body: object) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${base}/control/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const monnify = (changes: Partial<MonnifyOptions> = {}) =>
    createMonnify({
      ...{ url: base, ...credentials, timeoutMs: PATIENT_MS, payouts: { sourceAccountNumber } },
      ...changes,
    });
  return { monnify, control, stop, url: base };
}

/** A door that keeps what its adapter makes of each notification; `statuses` are its first answers. */
export async function door(statuses: number[] = []) {
  const { notifications } = createMonnify({ url: "http://127.0.0.1:1", ...credentials, timeoutMs: 100 });
  const reports: (ReturnType<Notifications["parse"]> | "not authentic")[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const isAuthentic =
      request.url === notifications.path && notifications.authenticate({ headers: request.headers, body });
    reports.push(isAuthentic ? notifications.parse(body) : "not authentic");
    server.emit("report");
    response.writeHead(isAuthentic ? (statuses.shift() ?? 200) : 401).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: addressOf(server.address()), reports };
}

export async function problem(call: Promise<unknown>): Promise<Problem> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Problem) return error;
  throw new Error("no Problem was thrown", { cause: error });
}
