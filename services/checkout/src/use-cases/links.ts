import type { Bus } from "@collect/bus";
import {
  LinkSlug,
  openLinkPayment,
  type PayerDetails,
  Problem,
  type SessionSnapshot,
  showPaymentLink,
} from "@collect/contracts";
import { naira } from "@collect/money";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { linkKey } from "../domain/link-key.ts";
import type { Sessions } from "./sessions.ts";

export type ShownLink = z.output<typeof showPaymentLink.output>;
export type Links = ReturnType<typeof createLinks>;

type LinkPayment = z.output<typeof PayerDetails> & { slug: string; key: string; amount: bigint | null };

/** A slug that nobody has is remembered this long, as an unknown session is. */
const MISSES = { max: 10_000, ttl: 5_000 };
/** Invented slugs reach payments one by one, but only so many at a time. */
const LOOKING_MAX = 100;

export const noSuchLink = () => new Problem("not_found", "There is no such payment link.");

/** Payment links are payments' own: every page asks there, so that a link that is closed is closed. */
export function createLinks({ bus, sessions }: { bus: Bus; sessions: Sessions }) {
  const misses = new LRUCache<string, true>(MISSES);
  const looking = new Map<string, Promise<ShownLink>>();

  async function ask(slug: string, requestId: string): Promise<ShownLink> {
    try {
      return showPaymentLink.output.parse(await bus.request(showPaymentLink, { slug }, requestId));
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "not_found") throw error;
      misses.set(slug, true);
      throw noSuchLink();
    } finally {
      looking.delete(slug);
    }
  }

  return {
    /** Those who come at the same time share one question. */
    async show(slug: string, requestId: string): Promise<ShownLink> {
      if (!LinkSlug.safeParse(slug).success || misses.has(slug)) throw noSuchLink();
      const others = looking.get(slug);
      if (others) return others;
      if (looking.size >= LOOKING_MAX)
        throw new Problem("service_unavailable", "The link cannot be loaded right now. Try again shortly.");
      const asking = ask(slug, requestId);
      looking.set(slug, asking);
      return asking;
    },

    async open(payment: LinkPayment, requestId: string): Promise<SessionSnapshot> {
      const { slug, name, email, amount } = payment;
      const fields = { slug, name, email, key: linkKey(payment), ...(amount !== null && { amount: naira(amount) }) };
      const { session } = await bus.request(openLinkPayment, fields, requestId);
      return sessions.learn(session);
    },
  };
}
