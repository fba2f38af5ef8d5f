import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: string; at: number };
export type Reply = (response: ServerResponse) => void;

/** A real HTTP server in place of the API: sends the given responses in turn, and then repeats the last one. */
export type Api = { baseUrl: string; asked: Asked[]; reply(...inTurn: Reply[]): void; stop(): Promise<void> };

export async function startApi(): Promise<Api> {
  const asked: Asked[] = [];
  let replies: Reply[] = [json(200, {})];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url: path = "", headers } = request;
    asked.push({ method, path, headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    reply: (...inTurn) => {
      replies = inTurn;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  json(status, { status, code, detail: `${code} it is`, request_id: "req_1", mode: "test" }, headers);

export const page =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, { "content-type": "text/html", ...headers }).end("<h1>proxy</h1>");

export const silence: Reply = () => {};
export const hangUp: Reply = (response) => void response.destroy();
/** Starts its response and never ends it. */
export const drip: Reply = (response) => void response.writeHead(200).write("{");
