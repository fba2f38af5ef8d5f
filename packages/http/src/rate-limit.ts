import { Problem } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import type { Request, RequestHandler, Response } from "express";
import { ipKeyGenerator, rateLimit, type Store } from "express-rate-limit";

export type RateLimit = {
  /** The budget's name, in the table and in the response's `RateLimit` fields. */
  name: string;
  /** Calls per key and window. A window begins with the first call after the last one ended. */
  limit: number;
  windowMs: number;
  /** The key of the budget. Many clients share an IP address, so a budget by address must be generous. */
  key(request: Request, response: Response): string;
};

/**
 * Allows a key's calls until its budget is spent, and refuses the rest of the window with `rate_limited`, `Retry-After`
 * and the fields of draft 8. The database counts, so replicas share one budget exactly; for what only one process serves,
 * its memory can.
 */
export function limitRate(counting: Pool | "memory", { name, limit, windowMs, key }: RateLimit): RequestHandler {
  return rateLimit({
    ...(counting !== "memory" && { store: createRateLimitStore(counting, { name }) }),
    limit,
    windowMs,
    keyGenerator: key,
    identifier: name,
    standardHeaders: "draft-8",
    legacyHeaders: false,
    handler: (_request, _response, next) =>
      next(new Problem("rate_limited", "Too many requests. Wait the number of seconds in the Retry-After header.")),
  });
}

/**
 * Uses the database's clock, read once when the statement begins: a call that waits for another's lock counts for the
 * time it arrived. Concurrent calls queue on the row, and each gets its own number.
 */
const count = statement<{ hits: number; left_ms: number }>(`
  insert into rate_limit_hits as seen (key, hits, resets_at)
  values ($1, 1, clock_timestamp() + $2 * interval '1 millisecond')
  on conflict (key) do update set (hits, resets_at) = (
    select case when ended then 1 else seen.hits + 1 end, case when ended then excluded.resets_at else seen.resets_at end
    from (values (seen.resets_at <= excluded.resets_at - $2 * interval '1 millisecond')) as its_window (ended)
  )
  returning hits, (extract(epoch from resets_at - clock_timestamp()) * 1000)::float8 as left_ms`);
const uncountHit = statement("update rate_limit_hits set hits = hits - 1 where key = $1 and hits > 1");
const reset = statement("delete from rate_limit_hits where key = $1");

export type Counted = { hits: number; leftMs: number };

/** Counts a call in the key's window, and returns its number in it. */
export async function countCall(pool: Pool, { key, windowMs }: { key: string; windowMs: number }): Promise<Counted> {
  const [counted] = await count(pool, [key, windowMs]);
  if (!counted) throw new Error("an upsert always returns a row");
  return { hits: counted.hits, leftMs: counted.left_ms };
}

/** Takes back one counted call. */
export const uncountCall = async (pool: Pool, key: string): Promise<void> => void (await uncountHit(pool, [key]));

/** The store of express-rate-limit: one statement per call. */
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
      const { hits, leftMs } = await countCall(pool, { key: prefix + key, windowMs });
      return { totalHits: hits, resetTime: new Date(Date.now() + leftMs) };
    },
    decrement: (key) => uncountCall(pool, prefix + key),
    resetKey: async (key) => void (await reset(pool, [prefix + key])),
  };
}

const CLEANUP_INTERVAL_MS = 10_000;
const ROWS_PER_PASS = 1_000;
/** More than can expire in ten seconds; the rest waits for the next tick. */
const PASSES_MAX = 50;

const deleteExpired = statement<{ key: string }>(`
  delete from rate_limit_hits where key = any (array(
    select key from rate_limit_hits where resets_at < clock_timestamp() order by resets_at limit ${ROWS_PER_PASS} for update skip locked
  )) returning key`);

/** A component that deletes expired windows. Replicas may run it concurrently. */
export function deleteExpiredRateLimits(
  pool: Pool,
  { log, everyMs = CLEANUP_INTERVAL_MS }: { log: Logger; everyMs?: number },
): Component {
  return interval({ name: "rate limits", everyMs, log }, async (signal) => {
    for (let pass = 0; pass < PASSES_MAX && !signal.aborted; pass++) {
      const deleted = await deleteExpired(pool);
      if (deleted.length < ROWS_PER_PASS) return;
    }
  });
}

/** The client's network, for limits generous enough for everyone who shares it: an IPv4 address, or an IPv6 prefix. */
export function addressOf(request: Request): string {
  return ipKeyGenerator(request.ip ?? "", IPV6_PREFIX);
}

/** The prefix that a household or an office usually gets. */
const IPV6_PREFIX = 56;
