import { z } from "zod";
import { Browse, browseOf, Search, Span } from "../browse.ts";
import { Id, Instant } from "../fields.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** The request log of the merchant API, kept for 7 days. Nothing secret is in it: no bodies, no headers, no query strings, no whole key. */
export const browseApiCalls = request({
  subject: "gateway.api_call.browse",
  callers: ["dashboard"],
  meaning: "Calls of one merchant and mode with a recognised key, newest first.",
  input: byScope.extend({
    ...Browse.shape,
    ...Span.shape,
    outcome: z.enum(["ok", "client_error", "server_error", "all"]).default("all"),
    method: z.enum(["GET", "POST"]).optional(),
    /** A request id, or how a path begins. */
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
      /** Of the problem it was refused with. */
      code: z.string().nullable(),
      duration_ms: z.int(),
      /** Such as `sk_test_…3xYz`. */
      key: z.string(),
    }),
  ),
});
