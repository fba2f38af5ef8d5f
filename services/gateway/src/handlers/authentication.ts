import { type Merchant, Problem } from "@collect/contracts";
import { isTransient, type Pool } from "@collect/database";
import type { RequestHandler, Response } from "express";
import { bearerOf, hashKey, isWellFormed } from "../domain/api-key.ts";
import { type Budget, rateLimitFields, standingOf } from "../domain/rate-limit.ts";
import { checkKey, type KeyCheck } from "../store/key-check.ts";

export type Authenticate = (rules: { budget: Budget | null; testOnly?: boolean }) => RequestHandler;

/** Lets through who has a secret key and budget left; from then on `merchantOf(response)` tells who calls. */
export function authenticate(pool: Pool): Authenticate {
  return ({ budget, testOnly }) =>
    async (request, response, next) => {
      const key = bearerOf(request.get("authorization"));
      const found = key && isWellFormed(key) ? await check(pool, key, budget) : undefined;
      if (!found) throw new Problem("invalid_api_key", "Send a valid secret key as Authorization: Bearer sk_….");
      remember(response, found);
      if (found.kind === "public") throw new Problem("secret_key_required", "A public key cannot make this call.");
      if (budget) spend(response, budget, found);
      if (testOnly && found.mode !== "test")
        throw new Problem("test_key_required", "Only test money can be simulated.");
      next();
    };
}

export function merchantOf(response: Response): Merchant {
  return response.locals.merchant;
}

function remember(response: Response, { merchant_id, name, mode }: KeyCheck): void {
  response.locals.merchant = { id: merchant_id, name, mode } satisfies Merchant;
  response.locals.merchantId = merchant_id;
  response.locals.mode = mode;
  response.setHeader("Cache-Control", "no-store");
}

function spend(response: Response, budget: Budget, { quota, counted, counts, minute, now }: KeyCheck): void {
  const seen = standingOf({ quota: quota ?? 0, counts: counts ?? [], minute: minute ?? 0 }, now);
  // Who is refused saw the cells as they were before it queued for them.
  const standing = counted ? seen : { ...seen, remaining: 0 };
  for (const [name, value] of Object.entries(rateLimitFields(budget, quota ?? 0, standing)))
    response.setHeader(name, value);
  if (counted) return;
  response.setHeader("Retry-After", String(standing.freesInSeconds));
  throw new Problem("rate_limited", `At most ${quota} calls of this kind are allowed in any 60 minutes.`);
}

async function check(pool: Pool, key: string, budget: Budget | null): Promise<KeyCheck | undefined> {
  try {
    return await checkKey(pool, hashKey(key), budget);
  } catch (cause) {
    if (!isTransient(cause)) throw cause;
    throw new Problem("service_unavailable", "Keys cannot be checked at the moment. Try again soon.", { cause });
  }
}
