import { z } from "zod";
import { Browse, browseOf, Search, Span } from "../browse.ts";
import { Id, Instant } from "../fields.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** The request log of the merchant API, kept for 7 days. It contains no secrets: no bodies, headers, query strings or full keys. */
export const browseApiCalls = request({
  subject: "gateway.api_call.browse",
  callers: ["dashboard"],
  meaning: "Calls of one merchant and mode with a recognized key, newest first.",
  input: byScope.extend({
    ...Browse.shape,
    ...Span.shape,
    outcome: z.enum(["ok", "client_error", "server_error", "all"]).default("all"),
    method: z.enum(["GET", "POST"]).optional(),
    /** A request ID, or the beginning of a path. */
    search: Search,
  }),
  output: browseOf(
    z.object({
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
    }),
  ),
});
