import type { Request } from "express";
import type { Client } from "../domain/client.ts";

export const clientOf = (request: Request): Client => ({
  ip: request.ip ?? null,
  user_agent: request.get("user-agent")?.slice(0, 500) ?? null,
});
