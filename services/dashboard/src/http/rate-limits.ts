import type { Pool } from "@collect/database";
import { addressOf, limitRate } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { LIMITS, type LimitName } from "../domain/rate-limits.ts";

export type RateLimits = ReturnType<typeof createRateLimits>;

/** The limits as handlers that stand before what they limit; counted by the database, so that replicas share them. */
export function createRateLimits(pool: Pool) {
  const limit = (name: LimitName, key: (request: Request, response: Response) => string): RequestHandler =>
    limitRate(pool, { name, ...LIMITS[name], key });
  return { limit, byAddress: (name: LimitName) => limit(name, (request) => addressOf(request)) };
}
