import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import {
  createLocalPartner,
  type PayoutBank,
  type RequestIssuer,
  SIGNATURE_HEADER,
  signCall,
  verifySignature,
} from "@collect/bank";
import { httpServer } from "@collect/http";
import { createLogger } from "@collect/runtime";
import { onTestFinished } from "vitest";
import { createApp } from "../src/app.ts";
import type { SimulatedBank } from "../src/bank.ts";
import { simulateLocalBank } from "../src/local/bank.ts";
import type { SentTransfer, Transfer } from "../src/local/sender.ts";

export const bank = { code: "729", name: "Harbour Bank" };
export const apiSecret = "api-secret-of-the-tests";
export const doorSecret = "door-secret-of-the-tests";
export const log = createLogger("bank-simulator", "silent");

/** Ends a call that is never answered, and none that a busy machine answers after hundreds of milliseconds. Only for what hangs. */
export const HANGING_MS = 4_000;
/** For every other call: no test waits for it. */
export const PATIENT_MS = 30_000;

export type ApiResponse = { status: number; body: Record<string, unknown> };
export type Simulator = {
  url: string;
  partner: (timeoutMs?: number) => RequestIssuer & PayoutBank;
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<ApiResponse>;
  control(path: string, body: object): Promise<ApiResponse>;
  transfer(body: object): Promise<SentTransfer[]>;
  sent(): Promise<SentTransfer[]>;
  stop(): Promise<void>;
};

/** The simulator on a free port, composed as in main.ts. */
export async function simulator(options: { doorUrl?: string; dataDirectory?: string } = {}): Promise<Simulator> {
  const { doorUrl = "http://127.0.0.1:1", dataDirectory } = options;
  const door = { url: doorUrl, secret: doorSecret };
  const { url, stop } = await served(simulateLocalBank({ log, bank, secrets: [apiSecret], door, dataDirectory }));

  async function call(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<ApiResponse> {
    const raw = body === undefined ? "" : JSON.stringify(body);
    const signature = signCall({ method, target: path, body: raw }, apiSecret, new Date());
    const signed = { "content-type": "application/json", ...signature, ...headers };
    const response = await fetch(`${url}${path}`, { method, headers: signed, ...(raw && { body: raw }) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const control = (path: string, body: object) => call("POST", path, body, { [SIGNATURE_HEADER]: "" });
  const transfers = async (response: Promise<ApiResponse>) => (await response).body.transfers as SentTransfer[];
  return {
    url,
    partner: (timeoutMs = PATIENT_MS) => {
      const { issuer, payouts } = createLocalPartner({
        ...{ ...bank, url, secret: apiSecret, doorSecrets: [doorSecret], timeoutMs },
      });
      return { ...issuer, ...payouts };
    },
    call,
    control,
    transfer: (body) => transfers(control("/control/transfers", body)),
    sent: () => transfers(call("GET", "/control/transfers")),
    stop,
  };
}

/** A simulated bank on a free port, composed as in main.ts. */
export async function served(bank: SimulatedBank): Promise<{ url: string; stop(): Promise<void> }> {
  const http = httpServer({ app: createApp({ log, banks: [bank] }), host: "127.0.0.1", port: 0, log });
  await http.start();
  const stop = async () => {
    http.server.closeAllConnections();
    await http.stop();
    await bank.reporter.stop();
  };
  onTestFinished(stop);
  return { url: addressOf(http.server.address()), stop };
}

/**
 * The bank door of these tests: records correctly signed transfers and answers others with 401. `respond` overrides its
 * response.
 */
export async function bankDoor(respond?: RequestListener, port = 0) {
  const received: Transfer[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const isSigned =
      request.url === "/bank/transfers" && verifySignature(body, request.headers[SIGNATURE_HEADER], doorSecret);
    if (!isSigned) return void response.writeHead(401).end();
    bodies.push(body);
    received.push(JSON.parse(body));
    server.emit("transfer");
    if (respond) return respond(request, response);
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ id: received.at(-1)?.id, status: "accepted" }));
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await once(server.close(), "close");
  };
  onTestFinished(close);
  return { server, url: addressOf(server.address()), received, bodies, close };
}

export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "bank-simulator-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

export function addressOf(address: ReturnType<ReturnType<typeof createServer>["address"]>): string {
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port");
  return `http://127.0.0.1:${address.port}`;
}
