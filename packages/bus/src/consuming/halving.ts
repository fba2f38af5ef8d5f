import { isLocked, isTooSlow, isTransient } from "@collect/database";
import { type SetAside, scopeOf } from "./set-aside.ts";
import type { Item } from "./unpack.ts";

const TOO_SLOW_ALONE_MAX = 2;

/** What could not be done now, and why. */
type Left = { items: Item[]; error?: unknown };

type Halving = {
  handle(items: Item[]): Promise<void>;
  deadLetter(item: Item, error: unknown): Promise<void>;
  setAside: SetAside;
  signal: AbortSignal;
  stepped(): void;
};

/**
 * Handles facts together, and when that fails on their data in halves, until the one at fault fails alone and is put among the
 * dead letters. Answers with what is to be tried again once the cause has passed.
 */
export function createHalving({ handle, deadLetter, setAside, signal, stepped }: Halving) {
  /** Facts that took too long alone: when several did, it is the database that is slow, and halving does not help. */
  let tooSlowAlone = 0;

  return function handleHalving(items: Item[]): Promise<Left> {
    tooSlowAlone = 0;
    return attempt(items);
  };

  async function attempt(items: Item[]): Promise<Left> {
    if (items.length === 0) return { items };
    try {
      await handle(items);
      setAside.succeeded(items);
      return { items: [] };
    } catch (error) {
      // Halves of halves that each wait for their time-out are many minutes of work.
      stepped();
      return failed(items, error);
    }
  }

  async function failed(items: Item[], error: unknown): Promise<Left> {
    if (signal.aborted) return { items, error };
    if (isLocked(error)) return apart(items, error);
    const [only] = items.length === 1 ? items : [];
    if (isTooSlow(error) && only) tooSlowAlone++;
    const isWorthHalving = isTooSlow(error) && !only && tooSlowAlone < TOO_SLOW_ALONE_MAX;
    if (isTransient(error) && !isWorthHalving) return { items, error };
    if (only) return orLeft(only, () => deadLetter(only, error));
    const middle = Math.ceil(items.length / 2);
    return both(items.slice(0, middle), items.slice(middle));
  }

  /** A row that is locked is one merchant's, mostly: halved down to merchants, those that were found locked before apart. */
  async function apart(items: Item[], error: unknown): Promise<Left> {
    const byScope = Map.groupBy(items, scopeOf);
    if (byScope.size === 1) return { items: setAside.failed(items), error };
    const [suspects, others] = setAside.bySuspicion([...byScope.keys()]);
    const scopes = [...others, ...suspects];
    const middle = suspects.length > 0 && others.length > 0 ? others.length : Math.ceil(scopes.length / 2);
    const itemsOf = (some: string[]) => some.flatMap((scope) => byScope.get(scope) ?? []);
    return both(itemsOf(scopes.slice(0, middle)), itemsOf(scopes.slice(middle)));
  }

  async function both(one: Item[], other: Item[]): Promise<Left> {
    const left = await attempt(one);
    const right = await attempt(other);
    return { items: [...left.items, ...right.items], error: left.error ?? right.error };
  }
}

/** Stores the dead letter; without a database the item is left. */
function orLeft(item: Item, store: () => Promise<void>): Promise<Left> {
  return store().then(
    () => ({ items: [] }),
    (error: unknown) => ({ items: [item], error }),
  );
}
