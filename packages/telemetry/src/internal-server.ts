import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What a path answers: JSON, or a text of another content type. */
export type Page = { status: number; json: object } | { status: number; type: string; text: string };
export type Pages = Record<`/${string}`, () => Promise<Page>>;

/** Probes and scrapes are few; a connection that sends nothing is closed soon. One neighbor cannot take those of all others. */
const CONNECTIONS_MAX = 64;
const CONNECTIONS_MAX_OF_ADDRESS = 8;
const REQUEST_TIMEOUT_MS = 2_000;
const CHECK_EVERY_MS = 500;

/**
 * The server behind INTERNAL_PORT: plain HTTP and GET only, for probes and Prometheus. It shows nothing secret and no merchant's
 * data, and belongs on a network that only those reach.
 */
export function createInternalServer({ host, port, pages }: { host: string; port: number; pages: Pages }) {
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
    },
    (request, response) => void answer(pages, request, response),
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on("connection", limitEachAddress());
  return {
    name: "internal",
    /** The port that it listens on, also if that was to be any free one. */
    port: () => Object(server.address()).port ?? port,
    start: () =>
      new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve();
        });
      }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Closes a connection whose address has enough of them. */
function limitEachAddress(): (socket: Socket) => void {
  const open = new Map<string, number>();
  return (socket) => {
    const { remoteAddress: address = "" } = socket;
    const count = (open.get(address) ?? 0) + 1;
    if (count > CONNECTIONS_MAX_OF_ADDRESS) return void socket.destroy();
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  };
}

async function answer(pages: Pages, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = ""] = (request.url ?? "").split("?", 1);
  const page = Object.hasOwn(pages, path) ? pages[path as keyof Pages] : undefined;
  if (!page) return send(response, { status: 404, json: { error: "not_found" } });
  if (request.method !== "GET") {
    response.setHeader("Allow", "GET");
    return send(response, { status: 405, json: { error: "method_not_allowed" } });
  }
  try {
    send(response, await page());
  } catch {
    send(response, { status: 500, json: { error: "internal_error" } });
  }
}

function send(response: ServerResponse, page: Page): void {
  const { type, text } = "json" in page ? { type: "application/json", text: `${JSON.stringify(page.json)}\n` } : page;
  response.writeHead(page.status, { "Content-Type": type, "Cache-Control": "no-store" });
  response.end(text);
}
