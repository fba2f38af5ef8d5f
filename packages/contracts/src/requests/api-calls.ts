import { z } from "zod";
import { Browse, browseOf, Search, Span } from "../browse.ts";
import { Id, Instant } from "../fields.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/**
 * The request log of the merchant API, kept for 7 days. No headers and no full keys; the query string and the body only of calls
 * with a test key.
 */
const ApiCall = z.object({
  id: Id,
  at: Instant,
  request_id: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  /** The error code, if the call was refused. */
  code: z.string().nullable(),
  duration_ms: z.int(),
  /** Such as `sk_test_…3xYz`. */
  key: z.string(),
  /** The reference of what the response is about: what the call created, read or moved. */
  made: z.string().nullable(),
});

export const browseApiCalls = request({
  subject: "gateway.api_call.browse",
  callers: ["dashboard"],
  meaning: "Calls of one merchant and mode with a recognized key, newest first.",
  input: byScope.extend({
    ...Browse.shape,
    ...Span.shape,
    outcome: z.enum(["ok", "client_error", "server_error", "all"]).default("all"),
    method: z.enum(["GET", "POST"]).optional(),
    /** A request ID, the reference of what a call made, or the beginning of a path. */
    search: Search,
  }),
  output: browseOf(ApiCall),
});

export const getApiCall = request({
  subject: "gateway.api_call.get",
  callers: ["dashboard"],
  meaning: "One call of a merchant and mode: why it was refused and, in test mode, what was sent.",
  input: byScope.extend({ id: z.string().regex(/^\d{1,18}$/) }),
  output: ApiCall.extend({
    /** Why it was refused, in the words of the response; null for a call that was not, or that an earlier release logged. */
    problem: z
      .object({
        detail: z.string(),
        errors: z.array(z.object({ param: z.string(), code: z.string(), message: z.string() })),
      })
      .nullable(),
    /** As it was sent, without the question mark; null in live mode, or without one. */
    query: z.string().nullable(),
    /** As it was sent, with keys masked; null in live mode, or without one. The text of a longer one than 2,000 characters is null. */
    body: z.object({ type: z.string(), text: z.string().nullable() }).nullable(),
  }),
});
