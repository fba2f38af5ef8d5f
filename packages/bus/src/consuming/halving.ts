import { isLocked, isTooSlow, isTransient } from "@collect/database";
import { type SetAside, scopeOf } from "./set-aside.ts";
import type { Item } from "./unpack.ts";

const TOO_SLOW_ALONE_MAX = 2;

/** The items that could not be handled now, and the error. */
type Failed = { items: Item[]; error?: unknown };

type Halving = {
  handle(items: Item[]): Promise<void>;
  deadLetter(item: Item, error: unknown): Promise<void>;
  setAside: SetAside;
  signal: AbortSignal;
  stepped(): void;
};

/**
 * Handles facts together and, if that fails because of their data, in halves, until the faulty one fails alone and is
 * dead-lettered. Returns the items to retry once a transient cause has passed.
 */
export function createHalving({ handle, deadLetter, setAside, signal, stepped }: Halving) {
  /** Facts that timed out alone. If several did, the database itself is slow, and halving does not help. */
  let tooSlowAlone = 0;

  return function handleHalving(items: Item[]): Promise<Failed> {
    tooSlowAlone = 0;
    return attempt(items);
  };

  async function attempt(items: Item[]): Promise<Failed> {
    if (items.length === 0) return { items };
    try {
      await handle(items);
      setAside.succeeded(items);
      return { items: [] };
    } catch (error) {
      // Halves that each run into their timeout are many minutes of work.
      stepped();
      return failed(items, error);
    }
  }

  async function failed(items: Item[], error: unknown): Promise<Failed> {
    if (signal.aborted) return { items, error };
    if (isLocked(error)) return splitByMerchant(items, error);
    const [only] = items.length === 1 ? items : [];
    if (isTooSlow(error) && only) tooSlowAlone++;
    const isWorthHalving = isTooSlow(error) && !only && tooSlowAlone < TOO_SLOW_ALONE_MAX;
    if (isTransient(error) && !isWorthHalving) return { items, error };
    if (only) return storeOrRetry(only, () => deadLetter(only, error));
    const middle = Math.ceil(items.length / 2);
    return attemptBoth(items.slice(0, middle), items.slice(middle));
  }

  /**
   * A locked row usually belongs to one merchant: the batch is split down to merchants, with known suspects separated
   * first.
   */
  async function splitByMerchant(items: Item[], error: unknown): Promise<Failed> {
    const byScope = Map.groupBy(items, scopeOf);
    if (byScope.size === 1) return { items: setAside.failed(items), error };
    const [suspects, others] = setAside.bySuspicion([...byScope.keys()]);
    const scopes = [...others, ...suspects];
    const middle = suspects.length > 0 && others.length > 0 ? others.length : Math.ceil(scopes.length / 2);
    const itemsOf = (some: string[]) => some.flatMap((scope) => byScope.get(scope) ?? []);
    return attemptBoth(itemsOf(scopes.slice(0, middle)), itemsOf(scopes.slice(middle)));
  }

  async function attemptBoth(one: Item[], other: Item[]): Promise<Failed> {
    const left = await attempt(one);
    const right = await attempt(other);
    return { items: [...left.items, ...right.items], error: left.error ?? right.error };
  }
}

/** Stores the dead letter. If the database is unavailable, the item is retried. */
function storeOrRetry(item: Item, store: () => Promise<void>): Promise<Failed> {
  return store().then(
    () => ({ items: [] }),
    (error: unknown) => ({ items: [item], error }),
  );
}
