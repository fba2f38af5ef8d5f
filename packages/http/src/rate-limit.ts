import { Problem } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import type { Request, RequestHandler, Response } from "express";
import { ipKeyGenerator, rateLimit, type Store } from "express-rate-limit";

export type RateLimit = {
  /** Names the budget, in the table and in the answer's `RateLimit` fields. */
  name: string;
  /** Calls of one key in one window. A window begins with the first call after the last one ended. */
  limit: number;
  windowMs: number;
  /** Whose budget it is. An address is shared by many: only a generous budget is one of an address. */
  key(request: Request, response: Response): string;
};

/**
 * Lets a key's calls through until its budget is spent, and refuses the rest of the window with `rate_limited`, `Retry-After`
 * and the fields of draft 8. Counted by the database, so replicas share one budget to the call.
 */
export function limitRate(pool: Pool, { name, limit, windowMs, key }: RateLimit): RequestHandler {
  return rateLimit({
    store: createRateLimitStore(pool, { name }),
    limit,
    windowMs,
    keyGenerator: key,
    identifier: name,
    standardHeaders: "draft-8",
    legacyHeaders: false,
    handler: (_request, _response, next) =>
      next(new Problem("rate_limited", "Too many requests. Retry-After says how many seconds to wait.")),
  });
}

/**
 * The clock is the database's, read once when the statement begins: a call that waits for another's lock is judged by when it came.
 * Concurrent calls queue on the row, and each is told its own number.
 */
const count = statement<{ hits: number; left_ms: number }>(`
  insert into rate_limit_hits as seen (key, hits, resets_at)
  values ($1, 1, clock_timestamp() + $2 * interval '1 millisecond')
  on conflict (key) do update set (hits, resets_at) = (
    select case when ended then 1 else seen.hits + 1 end, case when ended then excluded.resets_at else seen.resets_at end
    from (values (seen.resets_at <= excluded.resets_at - $2 * interval '1 millisecond')) as its_window (ended)
  )
  returning hits, (extract(epoch from resets_at - clock_timestamp()) * 1000)::float8 as left_ms`);
const uncount = statement("update rate_limit_hits set hits = hits - 1 where key = $1 and hits > 1");
const reset = statement("delete from rate_limit_hits where key = $1");

/** What express-rate-limit counts with: one statement a call. */
export function createRateLimitStore(pool: Pool, { name }: { name: string }): Store {
  const prefix = `${name}:`;
  let windowMs = 0;
  return {
    prefix,
    localKeys: false,
    init: (options) => {
      windowMs = options.windowMs;
    },
    async increment(key) {
      const [counted] = await count(pool, [prefix + key, windowMs]);
      if (!counted) throw new Error("a call was not counted");
      return { totalHits: counted.hits, resetTime: new Date(Date.now() + counted.left_ms) };
    },
    decrement: async (key) => void (await uncount(pool, [prefix + key])),
    resetKey: async (key) => void (await reset(pool, [prefix + key])),
  };
}

const FORGET_EVERY_MS = 10_000;
const ROWS_A_PASS = 1_000;
/** More than can come in ten seconds; what is left waits for the next round. */
const PASSES_MAX = 50;

const forget = statement<{ key: string }>(`
  delete from rate_limit_hits where key = any (array(
    select key from rate_limit_hits where resets_at < clock_timestamp() order by resets_at limit ${ROWS_A_PASS} for update skip locked
  )) returning key`);

/** Removes the counts of windows that have ended, as a part of a service. Replicas may do it at once. */
export function forgetRateLimits(
  pool: Pool,
  { log, everyMs = FORGET_EVERY_MS }: { log: Logger; everyMs?: number },
): Component {
  return interval({ name: "rate limits", everyMs, log }, async (signal) => {
    for (let pass = 0; pass < PASSES_MAX && !signal.aborted; pass++) {
      const forgotten = await forget(pool);
      if (forgotten.length < ROWS_A_PASS) return;
    }
  });
}

/** Whose call it is, for limits that leave room for everybody who shares it: an IPv4 address, or an IPv6 network. */
export function addressOf(request: Request): string {
  return ipKeyGenerator(request.ip ?? "", IPV6_PREFIX);
}

/** What a household or an office has as its own. */
const IPV6_PREFIX = 56;
