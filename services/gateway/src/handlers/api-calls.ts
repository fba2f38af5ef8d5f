import { answer, type Request } from "@collect/bus";
import { browseApiCalls, decodeCursor, toPage, UtcInstant } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { requestIdOf } from "@collect/http";
import type { RequestHandler } from "express";
import { z } from "zod";
import {
  CALL_METHODS,
  CALL_OUTCOMES,
  callOutcome,
  HUNG_UP,
  keyInShort,
  loggedPath,
  loggedRequestId,
  searchedFor,
} from "../domain/call-log.ts";
import { listCalls } from "../store/api-calls.ts";
import type { CallLog } from "../workers/call-log.ts";
import { callerOf } from "./authentication.ts";

const CallMethod = z.enum(CALL_METHODS);

/** Takes note of each call with a recognised key once its answer is on its way; the call does not wait for it. */
export function logCalls({ note }: Pick<CallLog, "note">): RequestHandler {
  return (request, response, next) => {
    const [at, started, path] = [new Date(), performance.now(), loggedPath(request.path)];
    const method = CallMethod.safeParse(request.method);
    response.once("close", () => {
      const caller = callerOf(response);
      if (!caller || !method.success) return;
      const status = response.headersSent ? response.statusCode : HUNG_UP;
      note({
        merchant_id: caller.merchant_id,
        mode: caller.mode,
        at,
        request_id: loggedRequestId(requestIdOf(response)),
        method: method.data,
        path,
        status,
        outcome: callOutcome(status),
        code: response.locals.code ?? null,
        duration_ms: Math.round(performance.now() - started),
        key: keyInShort(caller, caller.last_four),
      });
    });
    next();
  };
}

/** `all` is whatever there is; a GET is a GET without its body, too. */
const METHODS = { GET: ["GET", "HEAD"], POST: ["POST"], all: CALL_METHODS } as const;

export function answerApiCalls(pool: Pool): Request[] {
  return [
    answer(browseApiCalls, async ({ merchant, limit, after, from, before, outcome, method, search }) => {
      const rows = await listCalls(
        pool,
        {
          merchant,
          outcomes: outcome === "all" ? CALL_OUTCOMES : [outcome],
          methods: METHODS[method ?? "all"],
          from: from ?? "-infinity",
          after: earlier(decodeCursor(after, CALL_PLACE), before),
          limit: limit + 1,
        },
        search ? searchedFor(search) : undefined,
      );
      return toPage(rows, {
        limit,
        place: ({ at, id }) => [at, id],
        show: (row) => ({ ...row, id: String(row.id) }),
      });
    }),
  ];
}

const CALL_PLACE = [UtcInstant, z.string().regex(/^\d{1,18}$/)];

/** The list begins after a place, or before a time, whichever is further down. One bound, so that the index is entered there. */
function earlier([at, id]: string[] = [], before: string | undefined): { at: string; id: string } {
  if (at !== undefined && id !== undefined && (!before || at < before)) return { at, id };
  return { at: before ?? "infinity", id: "0" };
}
