import { type Mode, Problem } from "@collect/contracts";
import type { ByMode } from "@collect/database";
import { createLimiter } from "@collect/runtime";
import type { Request, RequestHandler, Response } from "express";

/** How many calls of a mode a process serves concurrently, how many may wait, and for how long. */
export type Concurrency = { concurrentMax: number; queueMax: number; waitMaxMs: number };

const QUEUE = { queueMax: 4_096, waitMaxMs: 10_000 };

/**
 * Live has as many slots as the process can serve. Test has few, so that a thousand concurrent test calls leave CPU
 * time for live calls, here and in every service behind.
 */
export const CONCURRENCY: ByMode<Concurrency> = {
  live: { ...QUEUE, concurrentMax: 512 },
  test: { ...QUEUE, concurrentMax: 16 },
};

/** The merchant and the mode of a call. */
export type Caller = { mode: Mode; merchantId: string };

/**
 * Limits the concurrent calls of a mode. The others wait in order, each mode in its own queue, of which one merchant
 * has a share. A call that waits too long, or finds the queue full, is refused with `service_unavailable` and reaches no
 * service; its rate limit has counted it. Use it after the body is read, so that a slow client occupies no slot.
 */
export function limitConcurrency(
  callerOf: (request: Request, response: Response) => Caller,
  concurrency: ByMode<Concurrency> = CONCURRENCY,
): RequestHandler {
  const limiterOf = ({ concurrentMax, queueMax, waitMaxMs }: Concurrency) =>
    createLimiter({ concurrency: concurrentMax, queueMax, waitMaxMs, refuse: busy });
  const limiters = { live: limiterOf(concurrency.live), test: limiterOf(concurrency.test) };
  return async (request, response, next) => {
    const { mode, merchantId } = callerOf(request, response);
    const release = await limiters[mode].acquire(merchantId);
    // The client may have disconnected while it waited.
    if (response.closed) return release();
    response.once("close", release);
    next();
  };
}

const busy = () =>
  new Problem("service_unavailable", "Too many concurrent requests. Try again shortly.", { retryAfterS: 1 });
