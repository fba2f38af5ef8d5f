import { randomUUID } from "node:crypto";
import { createPaymentLink, getPaymentLink, openLinkPayment, type WireInput } from "@collect/contracts";
import type { SessionsWorld, Shop } from "./sessions-world.ts";

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
