import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Problem, problemDocument } from "@collect/contracts";
import { atMost, type Component, type Logger } from "@collect/runtime";
import type { HttpApp } from "./app.ts";
import type { ProblemType } from "./problem.ts";

/** A slow client is disconnected if its headers take longer than the first, or its request longer than the second. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** A client that reads nothing of what is waiting for it is disconnected after this long. */
const UNREAD_MAX_MS = 20_000;
/** After a refusal, a client that does not close its connection is disconnected after this long. */
const CLOSE_REFUSED_AFTER_MS = 1_000;

/** On stop, how long responses may take before they are cut off, and how long a new connection may wait for its request. */
const FINISH_WITHIN_MS = 10_000;
const SILENT_MAX_MS = 1_000;
/** On stop, how long connections are accepted if there are always more. */
const ACCEPT_MAX_MS = 1_000;

/**
 * An app on an address, as a component of a service. While it drains, each response is the last one of its connection, so that
 * callers go elsewhere between two calls, and none is cut off. On stop it accepts what has already connected, closes the listener
 * and lets requests in progress finish.
 */
export function httpServer(options: {
  app: HttpApp;
  host: string;
  port: number;
  log: Logger;
  requestTimeoutMs?: number;
  unreadMaxMs?: number;
  /** The same as the app's, for requests that are refused before the app gets them. */
  problemType?: ProblemType;
}): Component & { server: Server } {
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const unreadMaxMs = options.unreadMaxMs ?? UNREAD_MAX_MS;
  const responses = createResponses();
  const handle: RequestListener = (request, response) => {
    responses.add(response);
    disconnectUnread(response, unreadMaxMs);
    options.app(request, response);
  };
  const server = createServer(
    {
      requestTimeout,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeout),
      connectionsCheckingInterval: Math.min(2_000, requestTimeout),
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
    handle,
  );
  server.maxRequestsPerSocket = 0;
  // An Expect header other than 100-continue is ignored: the call is answered as usual.
  server.on("checkExpectation", handle);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    socket.end(rawProblem(error.code, options.problemType));
    setTimeout(() => socket.destroy(), CLOSE_REFUSED_AFTER_MS).unref();
  });
  return {
    name: "http",
    server,
    start: () =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(options.port, options.host, () => {
          server.off("error", reject);
          options.log.info({ address: server.address() }, "listening");
          resolve();
        });
      }),
    drain: responses.closeConnections,
    async stop() {
      responses.closeConnections();
      await acceptWaiting(server);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await atMost(SILENT_MAX_MS, closed);
      await atMost(FINISH_WITHIN_MS, responses.finished());
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Node counts any progress of the client as activity, however slow. One whose response is being made has nothing to read. */
function disconnectUnread(response: ServerResponse, unreadMaxMs: number): void {
  response.setTimeout(unreadMaxMs, () => {
    if (response.writableLength > 0) response.destroy();
  });
}

/** The responses in progress, and from some time on the end of each connection after its response. */
function createResponses() {
  const inProgress = new Set<ServerResponse>();
  let isClosing = false;
  let onFinished: (() => void) | undefined;
  const closeConnection = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("Connection", "close");
  };
  return {
    add(response: ServerResponse): void {
      if (isClosing) closeConnection(response);
      inProgress.add(response);
      response.once("close", () => {
        inProgress.delete(response);
        if (inProgress.size === 0) onFinished?.();
      });
    },
    closeConnections(): void {
      isClosing = true;
      for (const response of inProgress) closeConnection(response);
    },
    finished: () =>
      new Promise<void>((resolve) => {
        onFinished = resolve;
        if (inProgress.size === 0) resolve();
      }),
  };
}

/**
 * Accepts the connections that the system has already made for callers: to close the port resets those. Each turn of the event loop
 * accepts one, so this waits for a turn without one. The first turn may be under way.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let hasAccepted = true;
  const onConnection = () => {
    hasAccepted = true;
  };
  server.on("connection", onConnection);
  await nextTurn();
  for (const end = performance.now() + ACCEPT_MAX_MS; hasAccepted && performance.now() < end; ) {
    hasAccepted = false;
    await nextTurn();
  }
  server.off("connection", onConnection);
}

/** The refusal of a request that Node rejects before Express sees it, in the format of every other refusal. */
function rawProblem(code: string | undefined, typeOf?: ProblemType): string {
  const timedOut = code === "ERR_HTTP_REQUEST_TIMEOUT";
  const problem = timedOut
    ? new Problem("request_timeout", "The request was not received in time.")
    : new Problem("malformed_body", "This is not a valid HTTP request.");
  const requestId = crypto.randomUUID();
  const document = problemDocument(problem, { requestId, type: typeOf?.(problem.code) });
  const body = JSON.stringify(document);
  return [
    `HTTP/1.1 ${document.status} ${timedOut ? "Request Timeout" : "Bad Request"}`,
    "Content-Type: application/problem+json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
