import type { SessionSnapshot } from "@collect/contracts";
import type { z } from "zod";
import type { Call, Sessions } from "../use-cases/sessions.ts";
import type { Limits } from "./limits.ts";

/**
 * A row of the public API: what anyone who knows a session's reference may call. Every response is the current session.
 */
export type Endpoint<Fields extends z.ZodObject = z.ZodObject> = {
  method: "GET" | "POST";
  path: `/checkout/:reference${string}`;
  limit: keyof Limits;
  fields: Fields;
  session(sessions: Sessions, call: Call & { reference: string; fields: z.output<Fields> }): Promise<SessionSnapshot>;
};
