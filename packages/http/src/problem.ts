import {
  type Actor,
  Problem,
  type ProblemCode,
  type ProblemDocument,
  problemDocument,
  type RequestContext,
} from "@collect/contracts";
import { isTransient } from "@collect/database";
import type { Logger } from "@collect/runtime";
import type { ErrorRequestHandler, Response } from "express";

/** The id of the call that its client sees: its own if it sent one that can be echoed, otherwise ours. */
export function requestIdOf(response: Response): string {
  const { requestId, clientRequestId = requestId } = response.locals;
  return clientRequestId;
}

/** What travels with the requests that a call becomes. The actor is the one that the service authenticated. */
export function contextOf(response: Response): RequestContext {
  const { requestId, clientRequestId, actor = { kind: "anonymous" } } = response.locals;
  return { requestId, clientRequestId, actor };
}

/** From then on, the call is made by this actor. */
export function setActor(response: Response, actor: Actor): void {
  response.locals.actor = actor;
}

/** Writes a refusal, as JSON unless a page overrides it. The status is already set. */
export type WriteProblem = (response: Response, document: ProblemDocument) => void;

/** The URL of the page about an error, as its `type`. Without one the type is `about:blank`. */
export type ProblemType = (code: ProblemCode) => string;

/**
 * Renders every failure as `application/problem+json`. An error that is not a Problem is our fault: 500 (or 503 if it
 * is transient), logged with its cause, which the response never contains.
 */
export function renderProblem(
  log: Logger,
  { write = writeJson, typeOf }: { write?: WriteProblem; typeOf?: ProblemType } = {},
): ErrorRequestHandler {
  return (error, _request, response, next) => {
    const problem = asProblem(error);
    if (problem.code === "internal_error" || problem.cause)
      log.error({ request_id: contextOf(response).requestId, err: problem.cause ?? error }, "request failed");
    response.locals.problem = problem;
    if (response.headersSent) return next(error);
    const { mode } = response.locals;
    const type = typeOf?.(problem.code);
    const document = problemDocument(problem, { requestId: requestIdOf(response), mode, type });
    if (document.status === 401) response.setHeader("WWW-Authenticate", "Bearer");
    if (problem.retryAfterS !== undefined) response.setHeader("Retry-After", String(problem.retryAfterS));
    write(response.status(document.status), document);
  };
}

function writeJson(response: Response, document: ProblemDocument): void {
  response.type("application/problem+json").send(JSON.stringify(document));
}

/** The types of client errors in Express's body parsers and router. */
const BY_TYPE: Record<string, [ProblemCode, string]> = {
  "entity.too.large": ["body_too_large", "The body may have at most 32 kB."],
  "entity.parse.failed": ["malformed_body", "The body is not valid JSON."],
  "encoding.unsupported": ["unsupported_media_type", "The body's encoding is not supported."],
  "charset.unsupported": ["unsupported_media_type", "The body's character set is not supported."],
  "request.aborted": ["malformed_body", "The body ended early."],
  "request.size.invalid": ["malformed_body", "The body does not match its Content-Length."],
  "parameters.too.many": ["malformed_body", "The form has too many fields."],
  "querystring.parse.rangeError": ["malformed_body", "The form is nested too deeply."],
};

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const type = typeof error === "object" && error !== null && "type" in error ? String(error.type) : "";
  const known = BY_TYPE[type];
  if (known) return new Problem(...known);
  if (error instanceof URIError) return new Problem("not_found", "There is nothing at this URL.");
  if (isTransient(error))
    return new Problem("service_unavailable", "Temporarily unavailable. Try again shortly.", { cause: error });
  return new Problem("internal_error", "Something went wrong on our side. Quote the request id if you contact us.");
}
