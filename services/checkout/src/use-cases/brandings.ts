import { type Branding, NO_BRANDING, type SessionSnapshot } from "@collect/contracts";
import { LRUCache } from "lru-cache";
import type { BrandedSession } from "../domain/branding.ts";

export type Brandings = ReturnType<typeof createBrandings>;

/** By merchant. An older one is still shown while it is read again, so a change is visible within a minute or two. */
const KEPT = { max: 20_000, ttl: 60_000, allowStale: true, noDeleteOnStaleGet: true };
/** A page waits this long for a merchant that this process has not seen yet, then it shows the name alone. */
const WAIT_MS = 1_000;

/** How merchants show themselves: payments says it with every session that is read from it, and events do not. */
export function createBrandings() {
  const known = new LRUCache<string, Branding>(KEPT);
  const waiting = new Map<string, PromiseWithResolvers<void>>();

  /** Concurrent pages of a merchant wait for one session. */
  async function firstOf(merchantId: string, requestRead: () => void): Promise<void> {
    const pending = waiting.get(merchantId);
    if (pending) return pending.promise;
    const waiter = Promise.withResolvers<void>();
    waiting.set(merchantId, waiter);
    const timer = setTimeout(waiter.resolve, WAIT_MS).unref();
    requestRead();
    await waiter.promise;
    clearTimeout(timer);
    waiting.delete(merchantId);
  }

  return {
    learn(read: BrandedSession[]): void {
      for (const { merchant, branding } of read) {
        known.set(merchant.id, branding);
        waiting.get(merchant.id)?.resolve();
      }
    },
    /** `requestRefresh` is called if the session has to be read for it. */
    async brand(session: SessionSnapshot, requestRefresh: (reference: string) => void): Promise<BrandedSession> {
      const { reference, merchant } = session;
      const isKnown = known.peek(merchant.id, { allowStale: true }) !== undefined;
      if (!isKnown) await firstOf(merchant.id, () => requestRefresh(reference));
      else if (!known.has(merchant.id)) requestRefresh(reference);
      return { ...session, branding: known.get(merchant.id) ?? NO_BRANDING };
    },
  };
}
