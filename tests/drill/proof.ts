import { expect } from "vitest";
import { proveRecorded, untilDelivered } from "../faults/proof.ts";
import { proveCompleted, type Shop } from "../faults/shop.ts";
import type { Traffic } from "../faults/traffic.ts";
import type { Stack } from "../stack.ts";

type Money = { traffic: Traffic; shop: Shop; references: string[] };

/**
 * What the bank reported, what is recorded and what the merchants received are the same transfers, and each payout has one id at
 * the bank; no number or id of an event was assigned to two. Returns the counts.
 */
export async function proveNoneLost(stack: Stack, { traffic, shop, references }: Money): Promise<string> {
  const events = await proveRecorded(stack, traffic);
  await untilDelivered(stack, traffic);
  const received = traffic.customers.flatMap(({ merchant }) => merchant.received("live"));
  const notified = new Set(received.map(({ body }) => String(Object(body.data).reference)));
  expect(notified).toEqual(new Set(events.map(({ reference }) => reference)));
  expect(notified.size).toBe(traffic.acknowledged.size);
  await proveCompleted(stack, shop, references, { maySendAgain: true });

  for (const header of ["webhook-id", "x-service-delivery"]) {
    const byId = Map.groupBy(received, ({ headers }) => headers[header]);
    for (const [id, deliveries] of byId)
      expect([id, new Set(deliveries.map(({ body }) => Object(body.data).reference)).size]).toEqual([id, 1]);
  }
  return [
    `${traffic.acknowledged.size} transfers were reported by the bank, ${events.length} recorded, ${notified.size} received by the merchants`,
    `${references.length} payouts were ordered, and each made once`,
  ].join("\n");
}
