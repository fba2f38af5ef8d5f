import { type Mode, Problem } from "@collect/contracts";
import type { ByMode } from "@collect/database";
import { createLimiter } from "@collect/runtime";
import type { Request, RequestHandler, Response } from "express";

/** How many calls of a mode a process has in hand at once, and how many may wait for that, and how long. */
export type Concurrency = { atOnce: number; queueMax: number; waitMaxMs: number };

const WAITING = { queueMax: 4_096, waitMaxMs: 10_000 };

/**
 * Live has as many as the process can serve. Test has few: they take turns, so that a thousand of them at once leave a live
 * call the time of the processor, here and in every service behind.
 */
export const CONCURRENCY: ByMode<Concurrency> = {
  live: { ...WAITING, atOnce: 512 },
  test: { ...WAITING, atOnce: 16 },
};

/** Whose call it is, and in which mode. */
export type Caller = { mode: Mode; merchantId: string };

/**
 * Lets so many calls of a mode at a time through; the others wait in order, each mode in a queue of its own, of which one
 * merchant has a share. What waits too long, or finds no room in the queue, is refused with `service_unavailable`, and nothing
 * was done for it. It stands behind the reading of the body: who sends slowly holds nothing.
 */
export function limitConcurrency(
  callerOf: (request: Request, response: Response) => Caller,
  concurrency: ByMode<Concurrency> = CONCURRENCY,
): RequestHandler {
  const limiterOf = ({ atOnce, queueMax, waitMaxMs }: Concurrency) =>
    createLimiter({ concurrency: atOnce, queueMax, waitMaxMs, refuse: busy });
  const limiters = { live: limiterOf(concurrency.live), test: limiterOf(concurrency.test) };
  return async (request, response, next) => {
    const { mode, merchantId } = callerOf(request, response);
    const release = await limiters[mode].acquire(merchantId);
    // Closed is also what its caller left while it waited.
    if (response.closed) return release();
    response.once("close", release);
    next();
  };
}

const busy = () =>
  new Problem("service_unavailable", "Too many requests at once. Try again shortly.", { retryAfterS: 1 });
