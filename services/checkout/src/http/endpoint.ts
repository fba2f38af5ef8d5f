import type { SessionSnapshot } from "@collect/contracts";
import type { z } from "zod";
import type { Sessions } from "../use-cases/sessions.ts";
import type { Limits } from "./limits.ts";

/** A row of the public API: what anybody who knows a session's reference may ask. Every answer is the session as it then stands. */
export type Endpoint<Fields extends z.ZodObject = z.ZodObject> = {
  method: "GET" | "POST";
  path: `/checkout/:reference${string}`;
  limit: keyof Limits;
  fields: Fields;
  session(
    sessions: Sessions,
    call: { reference: string; fields: z.output<Fields>; requestId: string },
  ): Promise<SessionSnapshot>;
};
