import { answer, type Request } from "@collect/bus";
import { browseApiCalls, decodeCursor, getApiCall, notFound, toPage, UtcInstant } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { z } from "zod";
import { CALL_METHODS, CALL_OUTCOMES, parseSearch } from "../domain/call-log.ts";
import { findCall, listCalls } from "../store/api-calls.ts";

/** A filter for GET includes HEAD. */
const METHODS = { GET: ["GET", "HEAD"], POST: ["POST"], all: CALL_METHODS } as const;

export function apiCallRequests(pool: Pool): Request[] {
  return [
    answer(browseApiCalls, async ({ merchant, limit, after, from, before, outcome, method, search }) => {
      const rows = await listCalls(
        pool,
        {
          merchant,
          outcomes: outcome === "all" ? CALL_OUTCOMES : [outcome],
          methods: METHODS[method ?? "all"],
          from: from ?? "-infinity",
          after: earlier(decodeCursor(after, CALL_CURSOR), before),
          limit: limit + 1,
        },
        search ? parseSearch(search) : undefined,
      );
      return toPage(rows, {
        limit,
        cursor: ({ at, id }) => [at, id],
        toResponse: (row) => ({ ...row, id: String(row.id) }),
      });
    }),

    answer(getApiCall, async ({ merchant, id }) => {
      const found = await findCall(pool, { merchant, id });
      if (!found) throw notFound();
      const { problem, body_type: type, body: text, ...call } = found;
      return {
        ...call,
        id: String(call.id),
        problem: problem === null ? null : Refusal.parse(JSON.parse(problem)),
        body: type === null ? null : { type, text },
      };
    }),
  ];
}

const Refusal = getApiCall.output.shape.problem.unwrap();

const CALL_CURSOR = [UtcInstant, z.string().regex(/^\d{1,18}$/)];

/** The list starts after the cursor or before the time, whichever is earlier. One bound, so that the index scan starts there. */
function earlier([at, id]: string[] = [], before: string | undefined): { at: string; id: string } {
  if (at !== undefined && id !== undefined && (!before || at < before)) return { at, id };
  return { at: before ?? "infinity", id: "0" };
}
