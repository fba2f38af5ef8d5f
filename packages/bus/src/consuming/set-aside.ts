import type { Logger } from "@collect/runtime";
import type { Mode } from "../connection/streams.ts";
import type { Item } from "./unpack.ts";

/**
 * How often a merchant's facts are tried alone before they are set aside, and for how long they are: twice as long the
 * second time.
 */
const TRIES = 2;
const ASIDE_MS = { first: 10_000, longest: 20_000 };
/**
 * If more than this many are locked, the lock is not on one merchant's rows but on the whole table: then everything
 * waits.
 */
const SCOPES_MAX = 8;

/** The scope of a lock: a merchant's rows, or those of one fact without a merchant. */
export function scopeOf({ key, fact }: Item): string {
  const { merchant } = fact as { merchant?: { id: string; mode: string } };
  return merchant ? `${merchant.mode}:${merchant.id}` : key;
}

/**
 * Merchants whose rows are locked by another session. Their facts are set aside for a while, so that those of all other
 * merchants are handled: the messages are acknowledged, and the service that promised the facts republishes them, as it
 * does with everything unconfirmed (the sweep, the transfer worker).
 */
export function createSetAside(options: { log: Logger; subject: string; mode: Mode; now?: () => number }) {
  const { log, subject, mode, now = () => performance.now() } = options;
  const failures = new Map<string, number>();
  const restMs = new Map<string, number>();
  const until = new Map<string, number>();

  return {
    /** The items of merchants that are not set aside. */
    without(items: Item[]): Item[] {
      for (const [scope, end] of until) if (end <= now()) until.delete(scope);
      return until.size === 0 ? items : items.filter((item) => !until.has(scopeOf(item)));
    },
    /** Separates scopes with a recent lock timeout from the others. */
    bySuspicion(scopes: string[]): [suspects: string[], others: string[]] {
      return [scopes.filter((scope) => failures.has(scope)), scopes.filter((scope) => !failures.has(scope))];
    },
    /** These items were handled: their merchants are no longer blocked. */
    succeeded(items: Item[]): void {
      if (failures.size === 0) return;
      for (const scope of new Set(items.map(scopeOf))) {
        failures.delete(scope);
        restMs.delete(scope);
      }
    },
    /** The items of one merchant timed out on a lock. Returns those to retry now: all or none. */
    failed(items: Item[]): Item[] {
      const [first] = items;
      if (!first) return items;
      const scope = scopeOf(first);
      const times = (failures.get(scope) ?? 0) + 1;
      if (times < TRIES || until.size >= SCOPES_MAX) {
        failures.set(scope, Math.min(times, TRIES));
        return items;
      }
      // The next lock timeout sets it aside immediately, because it has not been handled since.
      failures.set(scope, TRIES - 1);
      const rest = restMs.get(scope) ?? ASIDE_MS.first;
      restMs.set(scope, Math.min(rest * 2, ASIDE_MS.longest));
      until.set(scope, now() + rest);
      log.error({ alarm: "blocked", subject, mode, scope, facts: items.length }, "a merchant's rows are locked");
      return [];
    },
  };
}

export type SetAside = ReturnType<typeof createSetAside>;
