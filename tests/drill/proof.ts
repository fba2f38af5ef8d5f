import { expect } from "vitest";
import { proveRecorded, untilDelivered } from "../faults/proof.ts";
import { proveCompleted, type Shop } from "../faults/shop.ts";
import type { Traffic } from "../faults/traffic.ts";
import type { Stack } from "../stack.ts";

type Money = { traffic: Traffic; shop: Shop; references: string[] };

/**
 * What the bank reported, what is recorded and what the merchants received are the same transfers, and each payout has one id at
 * the bank. Returns the counts. Numbers of events that were assigned after the moment are assigned again, to other events: no service knows
 * them any more.
 */
export async function proveNoneLost(stack: Stack, { traffic, shop, references }: Money): Promise<string> {
  const events = await proveRecorded(stack, traffic);
  await untilDelivered(stack, traffic);
  const received = traffic.customers.flatMap(({ merchant }) => merchant.received("live"));
  const notified = new Set(received.map(({ body }) => String(Object(body.data).reference)));
  expect(notified).toEqual(new Set(events.map(({ reference }) => reference)));
  expect(notified.size).toBe(traffic.acknowledged.size);
  await proveCompleted(stack, shop, references, { maySendAgain: true });

  const byNumber = Map.groupBy(received, ({ path, headers }) => `${path} ${headers["x-service-sequence"]}`);
  const twice = [...byNumber.values()].filter(
    (deliveries) => new Set(deliveries.map(({ body }) => Object(body.data).reference)).size > 1,
  );
  return [
    `${traffic.acknowledged.size} transfers were reported by the bank, ${events.length} recorded, ${notified.size} received by the merchants`,
    `${references.length} payouts were ordered and made once; ${twice.length} event numbers were assigned twice`,
  ].join("\n");
}
