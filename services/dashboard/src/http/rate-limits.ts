import type { Pool } from "@collect/database";
import { addressOf, limitRate } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { LIMITS, type LimitName } from "../domain/rate-limits.ts";

export type RateLimits = ReturnType<typeof createRateLimits>;

/** The rate limits as middleware. The database counts, so replicas share the limits. */
export function createRateLimits(pool: Pool) {
  const limit = (name: LimitName, key: (request: Request, response: Response) => string): RequestHandler =>
    limitRate(pool, { name, ...LIMITS[name], key });
  return { limit, byAddress: (name: LimitName) => limit(name, (request) => addressOf(request)) };
}
