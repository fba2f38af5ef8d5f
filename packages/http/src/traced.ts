import { fail, inTrace, isTracing } from "@collect/telemetry";
import type { NextFunction, Request, Response } from "express";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Begins a trace with each request, if traces are on. A `traceparent` of the caller is not read: it proves nothing, and could make us
 * record everything. Of the URL only the route is recorded: paths and parameters can contain tokens.
 */
export function traceRequest(request: Request, response: Response, next: NextFunction): void {
  if (isTracing()) void traced(request, response, next);
  else next();
}

async function traced(request: Request, response: Response, next: NextFunction): Promise<void> {
  const method = METHODS.has(request.method) ? request.method : "_OTHER";
  const attributes = { "http.request.method": method, "url.scheme": request.protocol };
  await inTrace(
    undefined,
    () => ({ name: method, kind: "SERVER", attributes }),
    async (span) => {
      const closed = new Promise((resolve) => response.once("close", resolve));
      next();
      if (!span) return;
      await closed;
      const { requestId, mode, problem } = response.locals;
      const route = request.route?.path;
      if (typeof route === "string") span.updateName(`${method} ${route}`).setAttribute("http.route", route);
      span.setAttributes({ "http.response.status_code": response.statusCode, "collect.request_id": requestId });
      if (mode) span.setAttribute("collect.mode", mode);
      if (response.statusCode > 499) fail(span, problem?.code ?? String(response.statusCode));
      else if (!response.writableFinished) fail(span, "aborted");
    },
  );
}
