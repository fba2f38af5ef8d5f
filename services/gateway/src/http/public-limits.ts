import { isReferenceOf, notFound } from "@collect/contracts";
import { type ByMode, byMode, type Pool } from "@collect/database";
import { limitRate, type RateLimit } from "@collect/http";
import type { RequestHandler } from "express";
import type { Endpoint } from "../domain/endpoint.ts";
import { PUBLIC_LIMITS } from "../domain/rate-limit.ts";
import { merchantOf } from "./authentication.ts";

export type LimitPublicCalls = (endpoint: Endpoint) => RequestHandler[];

const WINDOW_MS = 60_000;

/** Limits calls without a secret key: per session, or per merchant of the public key. */
export function limitPublicCalls(pools: ByMode<Pool>): LimitPublicCalls {
  return ({ limit, key }) => {
    if (!limit) return [];
    const rule = { name: limit, limit: PUBLIC_LIMITS[limit], windowMs: WINDOW_MS };
    if (key === "public")
      return [byTheirMode(pools, { ...rule, key: (_request, response) => merchantOf(response).id })];
    // A session's reference does not contain its mode.
    return [wellFormedReference, limitRate(pools.live, { ...rule, key: ({ params }) => String(params.reference) })];
  };
}

function byTheirMode(pools: ByMode<Pool>, rule: RateLimit): RequestHandler {
  const limits = byMode(pools, (pool) => limitRate(pool, rule));
  return (request, response, next) => limits[merchantOf(response).mode](request, response, next);
}

/** A malformed reference is refused before it is counted, so that invented ones do not fill the table. */
const wellFormedReference: RequestHandler = (request, _response, next) => {
  if (!isReferenceOf("pay", String(request.params.reference))) throw notFound();
  next();
};
