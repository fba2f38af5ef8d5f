import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type BankReport, createMonnify, type MonnifyOptions } from "@collect/bank";
import { Problem } from "@collect/contracts";
import { createHttpApp, httpServer } from "@collect/http";
import { createLogger } from "@collect/runtime";
import { onTestFinished } from "vitest";
import { createNotifier } from "../../src/monnify/notifier.ts";
import { createMonnifySimulator } from "../../src/monnify/simulator.ts";

export const credentials = { apiKey: "MK_OF_THE_TESTS", secretKey: "secret key of the tests" };
export const contractCode = "1234567890";
export const walletAccountNumber = "8016472829";
const log = createLogger("bank-simulator", "silent");

/** Monnify's simulator on a free port, and the adapter that talks to it. */
export async function simulator(options: { doorUrl?: string; dataDirectory?: string } = {}) {
  const url = `${options.doorUrl ?? "http://127.0.0.1:1"}/bank/monnify`;
  const notifier = createNotifier({ url, secretKey: credentials.secretKey, log });
  const { dataDirectory } = options;
  const routes = createMonnifySimulator({ credentials, contractCode, walletAccountNumber, dataDirectory, notifier });
  const app = createHttpApp({ log, routes: (served) => void served.use("/monnify", routes) });
  const http = httpServer({ app, host: "127.0.0.1", port: 0, log });
  await http.start();
  const stop = async () => {
    http.server.closeAllConnections();
    await http.stop();
    await notifier.stop();
  };
  onTestFinished(stop);
  const base = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/monnify`;

  async function control(path: string, body: object) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${base}/control/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const monnify = (changes: Partial<MonnifyOptions> = {}) =>
    createMonnify({
      ...{ url: base, ...credentials, contractCode, timeoutMs: 5_000 },
      payouts: { sourceAccountNumber: walletAccountNumber },
      ...changes,
    });
  return { monnify, control, stop };
}

/** A door that keeps what its adapter makes of each notification; `statuses` are its first answers. */
export async function door(statuses: number[] = []) {
  const { notifications } = createMonnify({ url: "http://127.0.0.1:1", ...credentials, contractCode, timeoutMs: 100 });
  const reports: (BankReport | "not authentic" | undefined)[] = [];
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
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reports };
}

export async function problem(call: Promise<unknown>): Promise<Problem> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Problem) return error;
  throw new Error("no Problem was thrown", { cause: error });
}
