import { isReferenceOf } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { limitRate } from "@collect/http";
import type { RequestHandler } from "express";
import { PUBLIC_LIMITS } from "../domain/rate-limit.ts";
import type { Endpoint } from "../endpoints.ts";
import { merchantOf } from "./authentication.ts";
import { notFound } from "./calls.ts";

export type LimitPublicCalls = (endpoint: Endpoint) => RequestHandler[];

const WINDOW_MS = 60_000;

/** Limits what is called without a secret key: by session, or by the merchant whose public key it is. */
export function limitPublicCalls(pool: Pool): LimitPublicCalls {
  return ({ limit, key }) => {
    if (!limit) return [];
    const rule = { name: limit, limit: PUBLIC_LIMITS[limit], windowMs: WINDOW_MS };
    if (key === "public") return [limitRate(pool, { ...rule, key: (_request, response) => merchantOf(response).id })];
    return [wellFormedReference, limitRate(pool, { ...rule, key: ({ params }) => String(params.reference) })];
  };
}

/** What cannot be a reference is refused before anything is counted, so inventing some fills no table. */
const wellFormedReference: RequestHandler = (request, _response, next) => {
  if (!isReferenceOf("pay", String(request.params.reference))) throw notFound();
  next();
};
