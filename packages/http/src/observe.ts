import type { Logger } from "@collect/runtime";
import { fail, httpRequestDuration, inThisTrace, inTrace, type Span, type Step } from "@collect/telemetry";
import type { NextFunction, Request, Response } from "express";

/** Other methods and paths are the caller's invention: as labels they would have no bound. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const methodOf = ({ method }: Request) => (METHODS.has(method) ? method : undefined);

/**
 * Each request's log line and measurement, once its response has ended, and, if traces are on, the trace that begins with it. A
 * `traceparent` of the caller is not read: it proves nothing, and could make us record everything. Of the URL only the route is
 * recorded: paths and parameters can contain tokens.
 */
export function observeRequests(log: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    const untilClosed = (span?: Span) =>
      new Promise<void>((resolve) => {
        const report = inThisTrace(() => {
          record({ log, request, response, duration: performance.now() - started, span });
          resolve();
        });
        response.once("close", report);
        next();
      });
    void inTrace(undefined, () => stepOf(request), untilClosed);
  };
}

function stepOf(request: Request): Step {
  const method = methodOf(request) ?? "_OTHER";
  return {
    name: method,
    kind: "SERVER",
    attributes: { "http.request.method": method, "url.scheme": request.protocol },
  };
}

type Ended = { log: Logger; request: Request; response: Response; duration: number; span: Span | undefined };

function record({ log, request, response, duration, span }: Ended): void {
  const { requestId, clientRequestId, mode, merchantId, problem } = response.locals;
  const { statusCode, writableFinished: isComplete } = response;
  const [method, path] = [methodOf(request), request.route?.path as unknown];
  const route = typeof path === "string" ? path : undefined;
  const status = isComplete ? `${Math.floor(statusCode / 100)}xx` : "aborted";
  httpRequestDuration.observe({ method: method ?? "other", route: route ?? "none", status }, duration / 1_000);
  log.info(
    {
      request_id: requestId,
      client_request_id: clientRequestId,
      merchant_id: merchantId,
      mode,
      method: request.method,
      route,
      status: statusCode,
      outcome: problem?.code ?? (isComplete ? "ok" : "aborted"),
      duration_ms: Math.round(duration),
    },
    "request",
  );
  if (!span) return;
  if (route) span.updateName(`${method ?? "_OTHER"} ${route}`).setAttribute("http.route", route);
  span.setAttributes({ "http.response.status_code": statusCode, "collect.request_id": requestId });
  if (mode) span.setAttribute("collect.mode", mode);
  if (statusCode > 499) fail(span, problem?.code ?? String(statusCode));
  else if (!isComplete) fail(span, "aborted");
}
