import { PayerDetails } from "@collect/contracts";
import { z } from "zod";
import type { Endpoint } from "./http/endpoint.ts";

/**
 * The public API of a session. `POST /checkout`, which needs a key and allows other origins, is in
 * http/create-session.ts.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/checkout/:reference",
    limit: "reads",
    fields: z.object({}),
    session: (sessions, { reference }) => sessions.find(reference),
  }),
  endpoint({
    method: "POST",
    path: "/checkout/:reference/details",
    limit: "details",
    fields: PayerDetails,
    session: (sessions, { reference, fields, requestId }) => sessions.giveDetails(reference, fields, requestId),
  }),
  endpoint({
    method: "POST",
    path: "/checkout/:reference/sent",
    limit: "sent",
    fields: z.object({}),
    session: (sessions, { reference, requestId }) => sessions.reportSent(reference, requestId),
  }),
];

function endpoint<Fields extends z.ZodObject>(row: Endpoint<Fields>): Endpoint {
  return row;
}
