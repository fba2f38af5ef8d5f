import type { Pool } from "@collect/database";
import { limitRate } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";

/** Requests per minute of each budget. The page and the API of a session share its budgets. */
export const LIMITS = {
  reads: 240,
  details: 20,
  sent: 20,
  simulations: 20,
  openings: 600,
  link_reads: 1_200,
  link_openings: 300,
  link_mistakes: 1_200,
} as const;
const WINDOW_MS = 60_000;

export type Limits = Record<keyof typeof LIMITS, RequestHandler>;

/**
 * One budget per session reference, per payment link, and per merchant whose public key creates sessions. Never by IP
 * address.
 */
export function createLimits(pool: Pool): Limits {
  const perMinute = (name: keyof typeof LIMITS, key: (request: Request, response: Response) => string) =>
    limitRate(pool, { name, limit: LIMITS[name], windowMs: WINDOW_MS, key });
  const bySession = (request: Request) => String(request.params.reference);
  const byLink = (request: Request) => String(request.params.slug);
  return {
    reads: perMinute("reads", bySession),
    details: perMinute("details", bySession),
    sent: perMinute("sent", bySession),
    simulations: perMinute("simulations", bySession),
    link_reads: perMinute("link_reads", byLink),
    link_openings: perMinute("link_openings", byLink),
    link_mistakes: perMinute("link_mistakes", byLink),
    openings: perMinute("openings", (_request, response) => String(response.locals.merchantId)),
  };
}
