import { PayerDetails, type SessionSnapshot } from "@collect/contracts";
import { z } from "zod";
import type { LIMITS } from "./handlers/limits.ts";
import type { Sessions } from "./handlers/sessions.ts";

/** A row of the public API: what anybody who knows a session's reference may ask. Every answer is the session as it then stands. */
export type Endpoint<Fields extends z.ZodObject = z.ZodObject> = {
  method: "GET" | "POST";
  path: `/checkout/:reference${string}`;
  limit: keyof typeof LIMITS;
  fields: Fields;
  session(
    sessions: Sessions,
    call: { reference: string; fields: z.output<Fields>; requestId: string },
  ): Promise<SessionSnapshot>;
};

/** Beside them stands `POST /checkout`, which has a key and other origins: handlers/opening.ts. */
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
