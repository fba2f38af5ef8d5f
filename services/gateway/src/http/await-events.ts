import { ListEvents } from "@collect/contracts";
import type { RequestHandler } from "express";
import type { AwaitEvents } from "../use-cases/await-events.ts";
import { merchantOf } from "./authentication.ts";

/**
 * Holds a call that says how long it can wait, until there is an event for it. It is one call of the budget and takes no slot
 * meanwhile, here or in any service behind.
 */
export function awaitEvents(until: AwaitEvents, authenticateAgain: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    const asked = ListEvents.strict().safeParse(request.query);
    if (!asked.success || asked.data.wait === 0) return next();
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(asked.data.wait * 1_000)]);
    await until({ merchant: merchantOf(response), after: asked.data.after_sequence, signal });
    // The key may have been revoked meanwhile.
    if (!response.closed) await authenticateAgain(request, response, next);
  };
}
