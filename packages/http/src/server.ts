import { createServer, type Server } from "node:http";
import { Problem, problemDocument } from "@collect/contracts";
import type { Component, Logger } from "@collect/runtime";
import type { HttpApp } from "./app.ts";

/** A client that drips its request is cut off, headers after the first and the whole after the second. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** What a client is refused with stands for so long; one that does not hang up is hung up on. */
const REFUSED_FOR_MS = 1_000;

/** An app on an address, as a part of a service. Stops taking connections first and lets what is under way finish. */
export function httpServer(options: {
  app: HttpApp;
  host: string;
  port: number;
  log: Logger;
  requestTimeoutMs?: number;
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
  // An expectation other than to continue is not met, and not refused either: the call is answered as any other.
  server.on("checkExpectation", options.app);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    socket.end(rawProblem(error.code));
    setTimeout(() => socket.destroy(), REFUSED_FOR_MS).unref();
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

/** What Node refuses before there is a request to answer, in the form of every other refusal. */
function rawProblem(code: string | undefined): string {
  const timedOut = code === "ERR_HTTP_REQUEST_TIMEOUT";
  const problem = timedOut
    ? new Problem("request_timeout", "The request was not received in time.")
    : new Problem("malformed_body", "This is not a valid HTTP request.");
  const requestId = crypto.randomUUID();
  const document = problemDocument(problem, { requestId });
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
