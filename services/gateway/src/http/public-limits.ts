import { isReferenceOf, notFound } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { limitRate } from "@collect/http";
import type { RequestHandler } from "express";
import type { Endpoint } from "../domain/endpoint.ts";
import { PUBLIC_LIMITS } from "../domain/rate-limit.ts";

export type LimitPublicCalls = (endpoint: Endpoint) => RequestHandler[];

const WINDOW_MS = 60_000;

/** Limits calls that anyone with a session's reference can make, per session. Its reference does not contain its mode. */
export function limitPublicCalls(pool: Pool): LimitPublicCalls {
  return ({ limit }) => {
    if (!limit) return [];
    const rule = { name: limit, limit: PUBLIC_LIMITS[limit], windowMs: WINDOW_MS };
    return [wellFormedReference, limitRate(pool, { ...rule, key: ({ params }) => String(params.reference) })];
  };
}

/** A malformed reference is refused before it is counted, so that invented ones do not fill the table. */
const wellFormedReference: RequestHandler = (request, _response, next) => {
  if (!isReferenceOf("pay", String(request.params.reference))) throw notFound();
  next();
};
