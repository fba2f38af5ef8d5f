import { CHECKOUT_LIMITS } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { addressOf, limitRate } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { MINUTE_MS } from "../domain/budgets.ts";

/** Requests per minute of each budget. The page and the API of a session share its budgets. */
export const LIMITS = {
  ...CHECKOUT_LIMITS,
  simulations: 20,
  openings: 3_000,
  link_reads: 300,
  link_forms: 120,
  logo_reads: 300,
} as const;
export type Limits = Record<keyof typeof LIMITS, RequestHandler>;

/**
 * One budget per session, whose reference only its payer knows. What many know, a public key or a link, has one per
 * address, so that no client spends what others need; it only bounds the work of refusing: what opens a session or takes
 * a slot also passes the gate. Logos have one per address alone, because every guessed hash is another.
 */
export function createLimits(pool: Pool): Limits {
  const perMinute = (name: keyof typeof LIMITS, key: (request: Request, response: Response) => string) =>
    limitRate(pool, { name, limit: LIMITS[name], windowMs: MINUTE_MS, key });
  const bySession = (request: Request) => String(request.params.reference);
  const byClientOfLink = (request: Request) => `${request.params.slug} ${addressOf(request)}`;
  return {
    checkout_reads: perMinute("checkout_reads", bySession),
    checkout_details: perMinute("checkout_details", bySession),
    checkout_sent: perMinute("checkout_sent", bySession),
    simulations: perMinute("simulations", bySession),
    openings: perMinute("openings", (request, { locals }) => `${locals.merchantId} ${addressOf(request)}`),
    link_reads: perMinute("link_reads", byClientOfLink),
    link_forms: perMinute("link_forms", byClientOfLink),
    logo_reads: perMinute("logo_reads", addressOf),
  };
}
