import { Problem } from "@collect/contracts";
import { addressOf, limitRate } from "@collect/http";
import { createLimiter } from "@collect/runtime";
import type { Request, RequestHandler } from "express";

/** A sign-in takes two calls or three. */
const CALLS = { limit: 30, windowMs: 60_000 };
/** An address has one of the slots. The gateway has few connections, and merchants' calls need them. */
const FORWARDED = { concurrency: 2, queueMax: 32, waitMaxMs: 5_000 };

/**
 * What callers who are not signed in may have forwarded to the gateway: so many calls from an address, and so many of all of
 * them at once.
 */
export function limitStrangers() {
  const slots = createLimiter({ ...FORWARDED, refuse: busy });
  const limited: RequestHandler = limitRate("memory", { name: "sign_in_address", ...CALLS, key: addressOf });
  /** Holds its slot until the gateway has answered: a client that hangs up gets no other one. */
  const forward = async <Answer>(request: Request, ask: () => Promise<Answer>): Promise<Answer> => {
    const release = await slots.acquire(addressOf(request));
    return ask().finally(release);
  };
  return { limited, forward };
}

const busy = () =>
  new Problem("service_unavailable", "Too many people are signing in at once. Try again shortly.", { retryAfterS: 1 });
