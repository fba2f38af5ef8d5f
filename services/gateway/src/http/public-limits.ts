import { isReferenceOf } from "@collect/contracts";
import { type ByMode, byMode, type Pool } from "@collect/database";
import { limitRate, type RateLimit } from "@collect/http";
import type { RequestHandler } from "express";
import type { Endpoint } from "../domain/endpoint.ts";
import { PUBLIC_LIMITS } from "../domain/rate-limit.ts";
import { merchantOf } from "./authentication.ts";
import { notFound } from "./forward.ts";

export type LimitPublicCalls = (endpoint: Endpoint) => RequestHandler[];

const WINDOW_MS = 60_000;

/** Limits what is called without a secret key: by session, or by the merchant whose public key it is. */
export function limitPublicCalls(pools: ByMode<Pool>): LimitPublicCalls {
  return ({ limit, key }) => {
    if (!limit) return [];
    const rule = { name: limit, limit: PUBLIC_LIMITS[limit], windowMs: WINDOW_MS };
    if (key === "public")
      return [byTheirMode(pools, { ...rule, key: (_request, response) => merchantOf(response).id })];
    // A session's reference does not say its mode.
    return [wellFormedReference, limitRate(pools.live, { ...rule, key: ({ params }) => String(params.reference) })];
  };
}

function byTheirMode(pools: ByMode<Pool>, rule: RateLimit): RequestHandler {
  const limits = byMode(pools, (pool) => limitRate(pool, rule));
  return (request, response, next) => limits[merchantOf(response).mode](request, response, next);
}

/** What cannot be a reference is refused before anything is counted, so inventing some fills no table. */
const wellFormedReference: RequestHandler = (request, _response, next) => {
  if (!isReferenceOf("pay", String(request.params.reference))) throw notFound();
  next();
};
