import { GivePayerDetails } from "@collect/contracts";
import { z } from "zod";
import type { Endpoint } from "./http/endpoint.ts";

/**
 * The public API of a session, of which browsers on other origins can call nothing. `POST /checkout`, which needs a key and allows them, is in
 * http/create-session.ts.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/checkout/:reference",
    limit: "checkout_reads",
    fields: z.object({}),
    session: (sessions, { reference }) => sessions.find(reference),
  }),
  endpoint({
    method: "POST",
    path: "/checkout/:reference/details",
    limit: "checkout_details",
    fields: GivePayerDetails,
    session: (sessions, { reference, fields, ...call }) => sessions.giveDetails(reference, fields, call),
  }),
  endpoint({
    method: "POST",
    path: "/checkout/:reference/sent",
    limit: "checkout_sent",
    fields: z.object({}),
    session: (sessions, { reference, context }) => sessions.reportSent(reference, context),
  }),
];

function endpoint<Fields extends z.ZodObject>(row: Endpoint<Fields>): Endpoint {
  return row;
}
