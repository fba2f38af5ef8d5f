import { randomUUID } from "node:crypto";
import {
  collectionPosted,
  createPaymentLink,
  getPayment,
  getPaymentLink,
  openLinkPayment,
  type WireInput,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { expect } from "vitest";
import { aCollectionFor, kobo, type SessionsWorld, type Shop } from "./sessions-world.ts";

type Terms = Partial<Omit<WireInput<typeof createPaymentLink>, "merchant">>;

/** A link of 2,500.00 naira by default. */
export const createLink = (world: SessionsWorld, merchant: Shop, terms: Terms = {}) =>
  world.others.request(createPaymentLink, { merchant, title: "Lamp", amount: 2_500, key: randomUUID(), ...terms });

export const readLink = (world: SessionsWorld, { id, mode }: Shop, slug: string) =>
  world.others.request(getPaymentLink, { merchant: { id, mode }, slug });

/** A payer creates a session through the link, by default with a new key. */
export const createLinkSession = (
  world: SessionsWorld,
  slug: string,
  given: Partial<WireInput<typeof openLinkPayment>> = {},
) =>
  world.others.request(openLinkPayment, {
    slug,
    name: "Ada Obi",
    email: "ada@example.com",
    key: randomUUID(),
    ...given,
  });

/** Concurrent payers: the references of the sessions that were created, and the errors of the others. */
export async function createSessionsAtOnce(world: SessionsWorld, slug: string, payers: number) {
  const results = await Promise.allSettled(Array.from({ length: payers }, () => createLinkSession(world, slug)));
  return {
    references: results.flatMap((result) => (result.status === "fulfilled" ? [result.value.session.reference] : [])),
    refused: results.flatMap((result) => (result.status === "rejected" ? [result.reason] : [])),
  };
}

/** The sessions and counters of links in this world. */
export function linksOf(world: SessionsWorld) {
  const readSession = (merchant: Shop, reference: string) => world.others.request(getPayment, { merchant, reference });
  return {
    readSession,
    /** Pays the session, by default exactly its amount. */
    async paySession(
      merchant: Shop,
      reference: string,
      given: Parameters<typeof aCollectionFor>[2] = {},
    ): Promise<void> {
      const before = await readSession(merchant, reference);
      await world.others.publish(collectionPosted, [aCollectionFor(before, merchant, given)]);
      await until(
        "received",
        async () => (await readSession(merchant, reference)).amount_received > before.amount_received,
      );
    },
    /** The counters of the link match its sessions. */
    async expectCounted(merchant: Shop, slug: string, counted: { uses: number; collected: number }) {
      expect(await readLink(world, merchant, slug)).toMatchObject(counted);
      const { rows } = await world.owner.query<{ uses: number; unpaid: number; collected: bigint }>(
        `select count(*) filter (where status <> 'expired')::integer as uses,
           count(*) filter (where status in ('pending', 'processing'))::integer as unpaid,
           coalesce(sum(amount_received - amount_reversed), 0)::bigint as collected
         from sessions where payment_link = $1`,
        [slug],
      );
      const [{ unpaid = undefined, ...counts } = {}] = rows;
      expect(counts).toEqual({ uses: counted.uses, collected: kobo(counted.collected) });
      const { rows: links } = await world.owner.query("select uses_unpaid from payment_links where slug = $1", [slug]);
      expect(links).toEqual([{ uses_unpaid: unpaid }]);
    },
  };
}
