import { type Mode, Problem } from "@collect/contracts";
import type { ByMode } from "@collect/database";
import { createCounts, createLimiter } from "@collect/runtime";
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
 * Responses that clients have not read are in this process's memory. From `refusedFrom` on, a merchant's calls in that mode are refused
 * until it reads; above `merchantMax`, or `max` for all merchants together, the connection is closed at once. What fits into a
 * connection's buffers counts as read, so a client that reads has nothing here.
 */
const UNREAD_BYTES = { refusedFrom: 2 * 1024 ** 2, merchantMax: 8 * 1024 ** 2, max: 64 * 1024 ** 2 };

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
    const release = await acquire(merchantId);
    try {
      // The client may have disconnected while it waited.
      if (response.closed) return;
      unread.assertReads(merchantId);
      await handler(request, response, next);
    } finally {
      release();
      unread.countUntilRead(merchantId, request, response);
    }
  };
}

function limiterOf({ concurrentMax, queueMax, waitMaxMs }: Concurrency) {
  const { acquire } = createLimiter({ concurrency: concurrentMax, queueMax, waitMaxMs, refuse: busy });
  return { acquire, unread: createUnread() };
}

/** The bytes that each merchant, and all of them, have to read. */
function createUnread() {
  const byMerchant = createCounts();
  let all = 0;
  const add = (merchantId: string, bytes: number) => {
    all += bytes;
    byMerchant.add(merchantId, bytes);
  };
  return {
    assertReads(merchantId: string): void {
      if (byMerchant.of(merchantId) >= UNREAD_BYTES.refusedFrom) throw unreadResponses();
    },
    countUntilRead(merchantId: string, { socket }: Request, response: Response): void {
      const bytes = response.writableLength;
      if (bytes === 0 || response.closed || socket.destroyed) return;
      const isTooMuch = byMerchant.of(merchantId) + bytes > UNREAD_BYTES.merchantMax || all + bytes > UNREAD_BYTES.max;
      if (isTooMuch) return void socket.destroy();
      add(merchantId, bytes);
      // A pipelined response that waits for an earlier one emits no "close" when the connection closes.
      const emitters = [response, socket];
      const end = () => {
        for (const emitter of emitters) emitter.off("close", end);
        add(merchantId, -bytes);
      };
      for (const emitter of emitters) emitter.once("close", end);
    },
  };
}

const busy = () =>
  new Problem("service_unavailable", "Too many concurrent requests. Try again shortly.", { retryAfterS: 1 });

const unreadResponses = () =>
  new Problem(
    "rate_limited",
    "Too many bytes of responses wait to be read. Read the responses, or close their connections.",
    {
      retryAfterS: 1,
    },
  );
