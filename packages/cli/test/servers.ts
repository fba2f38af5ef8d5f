import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Received = { method: string; url: URL; headers: IncomingHttpHeaders; body: Buffer };
type Handler = (request: Received, response: ServerResponse) => void;

/** A real HTTP server for one test. */
export async function serve(handle: Handler): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await read(incoming);
    received.push(request);
    handle(request, response);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function read(incoming: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = "", url = "", headers } = incoming;
  return { method, url: new URL(url, "http://localhost"), headers, body: Buffer.concat(chunks) };
}

export function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export type Logged = {
  id: string;
  sequence: number;
  event: string;
  reference: string;
  created_at: string;
  body: string;
};

/** Event number `sequence`, recorded at `created_at`. */
export function logged(sequence: number, created_at = "2026-11-22T10:00:00.000+00:00"): Logged {
  const [event, reference] = ["collection.success", `col_${sequence}`];
  const body = JSON.stringify({
    event,
    mode: "test",
    created_at,
    data: { reference, amount: 5, customer_name: "Ṣọlá" },
  });
  return { id: `evt_${sequence}`, sequence, event, reference, created_at, body };
}

/**
 * The API's event log: answers a call that waits as soon as there is an event, and hangs up as often as `breaks` says.
 */
export async function serveLog(events: Logged[], { breaks = 0 } = {}) {
  let waiting: (() => void)[] = [];
  const page = ({ searchParams }: URL) => {
    const [after, limit] = [Number(searchParams.get("after_sequence")), Number(searchParams.get("limit"))];
    const following = events.filter(
      ({ sequence, event }) => sequence > after && (searchParams.get("type") ?? event) === event,
    );
    const data = following.slice(0, limit);
    const has_more = following.length > limit;
    const last = data.at(-1)?.sequence ?? after;
    return {
      data,
      limit,
      has_more,
      next: searchParams.has("type") && !has_more ? (events.at(-1)?.sequence ?? 0) : last,
    };
  };
  const api = await serve(({ url }, response) => {
    const isWaiting = Number(url.searchParams.get("wait")) > 0;
    if (isWaiting && breaks-- > 0) return void response.destroy();
    const found = page(url);
    if (found.data.length > 0 || !isWaiting) return respond(response, 200, found);
    waiting.push(() => respond(response, 200, page(url)));
  });
  return {
    ...api,
    append(event: Logged): void {
      events.push(event);
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    isWaitedFor: () => waiting.length > 0,
  };
}
