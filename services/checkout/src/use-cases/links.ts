import type { Bus } from "@collect/bus";
import {
  LinkSlug,
  openLinkPayment,
  type PayerDetails,
  Problem,
  type RequestContext,
  type SessionSnapshot,
  showPaymentLink,
} from "@collect/contracts";
import { naira } from "@collect/money";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { linkKey } from "../domain/link-key.ts";
import type { Gate } from "./gate.ts";
import type { Call, Sessions } from "./sessions.ts";

export type PayableLink = z.output<typeof showPaymentLink.output>;
export type Links = ReturnType<typeof createLinks>;

type LinkPayment = z.output<typeof PayerDetails> & { slug: string; key: string; amount: bigint | null };

/** How long an unknown slug is cached, as for an unknown session. */
const MISSES = { max: 10_000, ttl: 5_000 };
/** Guessed slugs reach payments one by one, but only this many concurrently. */
const LOOKUPS_MAX = 100;

export const noSuchLink = () => new Problem("not_found", "There is no such payment link.");

/** Payment links belong to payments: every page reads them there, so that a disabled link stops working at once. */
export function createLinks({ bus, sessions, gate }: { bus: Bus; sessions: Sessions; gate: Gate }) {
  const misses = new LRUCache<string, true>(MISSES);
  const lookups = new Map<string, Promise<PayableLink>>();

  async function fetchLink(slug: string, context: RequestContext): Promise<PayableLink> {
    try {
      return showPaymentLink.output.parse(await bus.request(showPaymentLink, { slug }, context));
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "not_found") throw error;
      misses.set(slug, true);
      throw noSuchLink();
    } finally {
      lookups.delete(slug);
    }
  }

  return {
    /** Concurrent callers share one request. */
    async find(slug: string, context: RequestContext): Promise<PayableLink> {
      if (!LinkSlug.safeParse(slug).success || misses.has(slug)) throw noSuchLink();
      const pending = lookups.get(slug);
      if (pending) return pending;
      if (lookups.size >= LOOKUPS_MAX)
        throw new Problem("service_unavailable", "The link cannot be loaded right now. Try again shortly.");
      const lookup = fetchLink(slug, context);
      lookups.set(slug, lookup);
      return lookup;
    },

    /** A payment of the link by its reference. None if it is not of this link, or cannot be read: nothing depends on it. */
    async findPayment(slug: string, reference: string): Promise<SessionSnapshot | undefined> {
      try {
        const session = await sessions.find(reference);
        return session.kept?.paymentLink === slug ? session : undefined;
      } catch (error) {
        if (error instanceof Problem) return undefined;
        throw error;
      }
    },

    async createSession(
      { link, ...payment }: LinkPayment & { link: PayableLink },
      { context, client }: Call,
    ): Promise<SessionSnapshot> {
      // Another link takes no slot: payments says why, or finds the payment of a form that is submitted again.
      const isActive = link.status === "active";
      const passage = { action: "link", merchant: link.merchant, scope: link.slug } as const;
      const taker = isActive ? { client: await gate(passage, client) } : {};
      const { slug, name, email, amount } = payment;
      const asked = amount === null ? {} : { amount: naira(amount) };
      const fields = { slug, name, email, key: linkKey(payment), ...asked, ...taker };
      const { session } = await bus.request(openLinkPayment, fields, context);
      return sessions.cache(session);
    },
  };
}
