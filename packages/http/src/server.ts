import { createServer, type Server } from "node:http";
import { Problem, problemDocument } from "@collect/contracts";
import type { Component, Logger } from "@collect/runtime";
import type { HttpApp } from "./app.ts";
import type { ProblemType } from "./problem.ts";

/** A slow client is disconnected if its headers take longer than the first, or its request longer than the second. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** After a refusal, a client that does not close its connection is disconnected after this long. */
const CLOSE_REFUSED_AFTER_MS = 1_000;

/**
 * An app on an address, as a component of a service. On stop it closes the listener first and lets requests in progress
 * finish.
 */
export function httpServer(options: {
  app: HttpApp;
  host: string;
  port: number;
  log: Logger;
  requestTimeoutMs?: number;
  /** The same as the app's, for requests that are refused before the app gets them. */
  problemType?: ProblemType;
}): Component & { server: Server } {
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const server = createServer(
    {
      requestTimeout,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeout),
      connectionsCheckingInterval: Math.min(2_000, requestTimeout),
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
    options.app,
  );
  server.maxRequestsPerSocket = 0;
  // An Expect header other than 100-continue is ignored: the call is answered as usual.
  server.on("checkExpectation", options.app);
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
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 5_000).unref();
      }),
  };
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
