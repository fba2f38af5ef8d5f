import { expect } from "vitest";
import type { TestMerchant } from "../stack.ts";

/** A merchant's server received one event per number, with the same bytes each time. */
export function proveNumbers(merchant: TestMerchant, mode: "live" | "test" = "live"): void {
  const received = merchant.received(mode);
  const bySequence = Map.groupBy(received, ({ headers }) => headers["x-service-sequence"]);
  for (const [sequence, deliveries] of bySequence) {
    const bodies = new Set(deliveries.map(({ raw }) => raw.toString()));
    expect([sequence, bodies.size]).toEqual([sequence, 1]);
  }
  const byDelivery = Map.groupBy(received, ({ headers }) => headers["x-service-delivery"]);
  for (const [delivery, deliveries] of byDelivery) {
    const sequences = new Set(deliveries.map(({ headers }) => headers["x-service-sequence"]));
    expect([delivery, sequences.size]).toEqual([delivery, 1]);
  }
  const numbers = [...bySequence.keys()].map(Number).toSorted((one, other) => one - other);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
}
