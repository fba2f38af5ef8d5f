import type { Logger } from "@collect/runtime";
import type { Mode } from "../connection/streams.ts";
import type { Item } from "./unpack.ts";

/** So often a merchant's facts are tried alone before they are set aside, and how long until they are tried again: twice as long each time. */
const TRIES = 2;
const ASIDE_MS = { first: 10_000, longest: 20_000 };
/** More than this many at once are not one merchant's rows but the whole table's: then everything waits. */
const SCOPES_MAX = 8;

/** What a lock is on: a merchant's rows, or those of the one fact that names no merchant. */
export function scopeOf({ key, fact }: Item): string {
  const { merchant } = fact as { merchant?: { id: string; mode: string } };
  return merchant ? `${merchant.mode}:${merchant.id}` : key;
}

/**
 * Merchants whose rows another session's statement has locked. Their facts are left alone for a while, so that those of all
 * others are handled: the messages are acknowledged, and the service that promised the facts sends them again, as it does with all
 * that is not confirmed (the sweep, the transfer worker).
 */
export function createSetAside(options: { log: Logger; subject: string; mode: Mode; now?: () => number }) {
  const { log, subject, mode, now = () => performance.now() } = options;
  const failures = new Map<string, number>();
  const restMs = new Map<string, number>();
  const until = new Map<string, number>();

  return {
    /** The items of all merchants that are not set aside. */
    without(items: Item[]): Item[] {
      for (const [scope, end] of until) if (end <= now()) until.delete(scope);
      return until.size === 0 ? items : items.filter((item) => !until.has(scopeOf(item)));
    },
    /** Which of them waited for a lock in vain lately, and which did not. */
    bySuspicion(scopes: string[]): [suspects: string[], others: string[]] {
      return [scopes.filter((scope) => failures.has(scope)), scopes.filter((scope) => !failures.has(scope))];
    },
    /** These were handled: their merchants are blocked no more. */
    succeeded(items: Item[]): void {
      if (failures.size === 0) return;
      for (const scope of new Set(items.map(scopeOf))) {
        failures.delete(scope);
        restMs.delete(scope);
      }
    },
    /** The items of one merchant waited in vain for a lock. Answers with those that are to be tried again now: all or none. */
    failed(items: Item[]): Item[] {
      const [first] = items;
      if (!first) return items;
      const scope = scopeOf(first);
      const times = (failures.get(scope) ?? 0) + 1;
      if (times < TRIES || until.size >= SCOPES_MAX) {
        failures.set(scope, Math.min(times, TRIES));
        return items;
      }
      // Once more fails at once next time: it has not been handled since.
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
