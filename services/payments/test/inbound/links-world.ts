import { randomUUID } from "node:crypto";
import { createPaymentLink, getPaymentLink, openLinkPayment, type WireInput } from "@collect/contracts";
import type { SessionsWorld, Shop } from "./sessions-world.ts";

type Terms = Partial<Omit<WireInput<typeof createPaymentLink>, "merchant">>;

/** A link of 2,500.00 naira unless said otherwise. */
export const makeLink = (world: SessionsWorld, merchant: Shop, terms: Terms = {}) =>
  world.others.request(createPaymentLink, { merchant, title: "Lamp", amount: 2_500, key: randomUUID(), ...terms });

export const readLink = (world: SessionsWorld, { id, mode }: Shop, slug: string) =>
  world.others.request(getPaymentLink, { merchant: { id, mode }, slug });

/** A payer opens the link, under a key of its own unless said otherwise. */
export const openLink = (world: SessionsWorld, slug: string, given: Partial<WireInput<typeof openLinkPayment>> = {}) =>
  world.others.request(openLinkPayment, {
    slug,
    name: "Ada Obi",
    email: "ada@example.com",
    key: randomUUID(),
    ...given,
  });

/** So many payers at once: the references of the sessions that were opened, and how the others were refused. */
export async function openAtOnce(world: SessionsWorld, slug: string, payers: number) {
  const answers = await Promise.allSettled(Array.from({ length: payers }, () => openLink(world, slug)));
  return {
    opened: answers.flatMap((each) => (each.status === "fulfilled" ? [each.value.session.reference] : [])),
    refused: answers.flatMap((each) => (each.status === "rejected" ? [each.reason] : [])),
  };
}
