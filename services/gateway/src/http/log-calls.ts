import { rawBodyOf, requestIdOf } from "@collect/http";
import type { RequestHandler } from "express";
import { z } from "zod";
import {
  CALL_METHODS,
  CLIENT_DISCONNECTED,
  callOutcome,
  type LoggedCall,
  loggedContent,
  loggedPath,
  loggedProblem,
  loggedRequestId,
  maskedKey,
} from "../domain/call-log.ts";
import { callerOf } from "./authentication.ts";

/** Logs each call with a recognized key after its response is sent; the call does not wait for it. */
export function logCalls({ enqueue }: { enqueue(call: LoggedCall): void }): RequestHandler {
  return (request, response, next) => {
    const [at, started, path] = [new Date(), performance.now(), loggedPath(request.path)];
    const method = CallMethod.safeParse(request.method);
    response.once("close", () => {
      const caller = callerOf(response);
      if (!caller || !method.success) return;
      const status = response.headersSent ? response.statusCode : CLIENT_DISCONNECTED;
      const { problem, made = null } = response.locals;
      enqueue({
        merchant_id: caller.merchant_id,
        mode: caller.mode,
        at,
        request_id: loggedRequestId(requestIdOf(response)),
        method: method.data,
        path,
        status,
        outcome: callOutcome(status),
        code: problem?.code ?? null,
        duration_ms: Math.round(performance.now() - started),
        key: maskedKey(caller, caller.last_four),
        made,
        problem: problem ? loggedProblem(problem) : null,
        ...loggedContent(caller.mode, {
          url: request.originalUrl,
          type: BODY_TYPES.find((type) => request.is(type)),
          body: rawBodyOf(request),
        }),
      });
    });
    next();
  };
}

const BODY_TYPES = ["application/json", "application/x-www-form-urlencoded"];

const CallMethod = z.enum(CALL_METHODS);
