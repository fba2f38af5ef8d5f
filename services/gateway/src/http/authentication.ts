import { type Merchant, Problem } from "@collect/contracts";
import { setActor } from "@collect/http";
import type { RequestHandler, Response } from "express";
import { canonicalAddress } from "../adapters/addresses.ts";
import { bearerToken } from "../domain/api-key.ts";
import { maskedKey } from "../domain/call-log.ts";
import type { Endpoint } from "../domain/endpoint.ts";
import { type Budget, rateLimitFields, standingOf } from "../domain/rate-limit.ts";
import { callerAsMerchant, type FindCaller, noPublicKey } from "../store/callers.ts";
import type { KeyCheck } from "../store/key-check.ts";

type Rules = Pick<Endpoint, "key" | "scope" | "budget" | "testOnly">;
export type Authenticate = (rules: Rules) => RequestHandler;

/** Admits callers with the required kind of key; afterwards `merchantOf(response)` is the caller. */
export function authenticate(findCaller: FindCaller): Authenticate {
  return (rules) => {
    if (rules.key === "none") return (_request, _response, next) => next();
    return rules.key === "public" ? withPublicKey(findCaller) : withSecretKey(findCaller, rules);
  };
}

/**
 * For a URL or a method that does not exist: with a valid key, the refusal says its mode, and a read counts like any other. As
 * elsewhere, only a secret key counts; a restricted one has no scope here.
 */
export function recognize(findCaller: FindCaller): RequestHandler {
  return async (request, response, next) => {
    const budget = request.method === "GET" || request.method === "HEAD" ? "reads" : undefined;
    const use = { budget, address: canonicalAddress(request.ip) } as const;
    const found = await findCaller(bearerToken(request.get("authorization")) ?? "", use);
    if (found) setCaller(response, found);
    if (found?.kind === "secret" && budget) spend(response, budget, found);
    next();
  };
}

export function merchantOf(response: Response): Merchant {
  return response.locals.merchant;
}

/** The owner of the recognized key, whether or not the call was admitted. */
export function callerOf(response: Response): KeyCheck | undefined {
  return response.locals.caller;
}

function withSecretKey(findCaller: FindCaller, { scope, budget, testOnly }: Rules): RequestHandler {
  return async (request, response, next) => {
    const use = { scope, budget, address: canonicalAddress(request.ip) };
    const found = await findCaller(bearerToken(request.get("authorization")) ?? "", use);
    if (!found) throw new Problem("invalid_api_key", "Send a valid secret key as Authorization: Bearer sk_….");
    setCaller(response, found);
    if (found.kind === "public") throw new Problem("secret_key_required", "A public key cannot make this request.");
    if (!found.from_allowed)
      throw new Problem(
        "address_not_allowed",
        "This key cannot be used from this address. Its owner can allow others.",
      );
    if (!found.has_scope)
      throw new Problem("insufficient_scope", `This key lacks the scope ${scope}. Use a key that has it.`);
    if (budget) spend(response, budget, found);
    if (testOnly && found.mode !== "test")
      throw new Problem("test_key_required", "This operation exists in test mode only: use a test key.");
    next();
  };
}

/** A secret or restricted key is refused like an unknown one: it was sent from a browser by mistake, and the response does not confirm that it is valid. */
function withPublicKey(findCaller: FindCaller): RequestHandler {
  return async (request, response, next) => {
    const found = await findCaller(bearerToken(request.get("authorization")) ?? "");
    response.locals.caller = found;
    if (found?.kind !== "public") throw noPublicKey();
    setCaller(response, found);
    next();
  };
}

function setCaller(response: Response, found: KeyCheck): void {
  response.locals.caller = found;
  response.locals.merchant = callerAsMerchant(found);
  const { key_name: name, made_by } = found;
  const key = maskedKey(found, found.last_four);
  setActor(response, { kind: "key", key, ...(name && { name }), ...(made_by && { made_by }) });
  response.locals.merchantId = found.merchant_id;
  response.locals.mode = found.mode;
}

function spend(response: Response, budget: Budget, { quota, counted, counts, minute, now }: KeyCheck): void {
  const seen = standingOf({ quota: quota ?? 0, counts: counts ?? [], minute: minute ?? 0 }, now);
  // A refused call read the cells as they were before it queued for the row.
  const standing = counted ? seen : { ...seen, remaining: 0 };
  for (const [name, value] of Object.entries(rateLimitFields(budget, quota ?? 0, standing)))
    response.setHeader(name, value);
  if (counted) return;
  throw new Problem("rate_limited", `At most ${quota} requests of this kind are allowed in any 60 minutes.`, {
    retryAfterS: standing.freesInSeconds,
  });
}
