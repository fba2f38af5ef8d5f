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
 * A merchant with this many responses that it does not read makes no further call in that mode until it reads them. Whoever
 * reads has none: a response that fits into the buffers of its connection counts as read.
 */
const UNREAD_MAX = 32;

/** Makes a handler wait for a slot, which it occupies exactly as long as it works. */
export type LimitedConcurrency = (handler: RequestHandler) => RequestHandler;

/**
 * Limits the concurrent calls of a mode. The others wait in order, each mode in its own queue, of which one merchant
 * has a share. A call that waits too long, or finds the queue full, is refused with `service_unavailable` and reaches no
 * service; its rate limit has counted it. Use it after the body is read, so that a client that sends or reads slowly
 * occupies no slot.
 */
export function limitConcurrency(
  callerOf: (request: Request, response: Response) => Caller,
  concurrency: ByMode<Concurrency> = CONCURRENCY,
): LimitedConcurrency {
  const limiters = { live: limiterOf(concurrency.live), test: limiterOf(concurrency.test) };
  return (handler) => async (request, response, next) => {
    const { mode, merchantId } = callerOf(request, response);
    const { acquire, unread } = limiters[mode];
    unread.refuseOver(UNREAD_MAX, merchantId);
    const release = await acquire(merchantId);
    try {
      // The client may have disconnected while it waited.
      if (!response.closed) await handler(request, response, next);
    } finally {
      release();
      unread.countUntilClosed(merchantId, response);
    }
  };
}

function limiterOf({ concurrentMax, queueMax, waitMaxMs }: Concurrency) {
  const { acquire } = createLimiter({ concurrency: concurrentMax, queueMax, waitMaxMs, refuse: busy });
  return { acquire, unread: createUnread() };
}

/** How many responses each merchant has to read. */
function createUnread() {
  const counts = new Map<string, number>();
  const add = (merchantId: string, change: number) => {
    const count = (counts.get(merchantId) ?? 0) + change;
    if (count === 0) counts.delete(merchantId);
    else counts.set(merchantId, count);
  };
  return {
    refuseOver(max: number, merchantId: string): void {
      if ((counts.get(merchantId) ?? 0) >= max) throw unreadResponses();
    },
    countUntilClosed(merchantId: string, response: Response): void {
      if (response.closed || response.writableLength === 0) return;
      add(merchantId, 1);
      response.once("close", () => add(merchantId, -1));
    },
  };
}

const busy = () =>
  new Problem("service_unavailable", "Too many concurrent requests. Try again shortly.", { retryAfterS: 1 });

const unreadResponses = () =>
  new Problem(
    "rate_limited",
    `At most ${UNREAD_MAX} responses can wait to be read. Read them, or close their connections.`,
    {
      retryAfterS: 1,
    },
  );
