import { until } from "@collect/testing";
import { expect } from "vitest";
import type { BankTransfer } from "../stack/bank.ts";
import type { Client } from "../stack/client.ts";
import type { Stack, TestMerchant } from "../stack.ts";
import type { ModelSession } from "./session-model.ts";

/** `now` in minutes; `paid` is every transfer that was answered with 200, in kobo. */
export type Model = { sessions: ModelSession[]; now: number; paid: Map<string, number> };
export type Real = { merchant: TestMerchant; api: Client; since: string; notified: Map<string, BankTransfer> };

/** The ledger has all received money, every session matches the model, and each collection has one event under one reference. */
export async function expectModel(stack: Stack, { sessions, paid }: Model, { merchant, api }: Real): Promise<void> {
  const events = await until("every collection is notified", () => {
    const bySequence = new Map(
      merchant
        .received("live")
        .map(({ headers, body }) => [headers["x-service-sequence"], body.data as CollectionData]),
    );
    return bySequence.size === paid.size && [...bySequence.values()];
  });
  expect(new Set(events.map(({ reference }) => reference)).size).toBe(paid.size);
  expect(sum(events.map(({ amount }) => kobo(amount)))).toBe(sum([...paid.values()]));
  const { rows } = await stack
    .database("ledger")
    .query(
      "select coalesce(sum(amount), 0)::int as sum, count(*)::int as count from transactions where merchant_id = $1",
      [merchant.id],
    );
  expect(rows).toEqual([{ sum: sum([...paid.values()]), count: paid.size }]);

  for (const session of sessions) {
    const actual = await until(`${session.reference} is ${session.status}`, async () => {
      const { body } = await api.get(`/payments/${session.reference}`);
      return body.status === session.status && body;
    }).catch(async () => (await api.get(`/payments/${session.reference}`)).body);
    const collections = actual.collections as { reference: string; amount: number }[];
    const notified = events.filter(({ payment_reference }) => payment_reference === session.reference);
    expect({
      status: actual.status,
      received: kobo(actual.amount_received),
      collections: collections.map(({ amount }) => kobo(amount)).toSorted(),
      notified: notified.map(({ amount }) => kobo(amount)).toSorted(),
    }).toEqual({
      status: session.status,
      received: session.received,
      collections: session.collections.toSorted(),
      notified: session.collections.toSorted(),
    });
    const references = collections.map(({ reference }) => reference);
    expect(references.toSorted()).toEqual(notified.map(({ reference }) => reference).toSorted());
    if (collections.length > 0)
      expect(references.filter((reference) => reference === session.reference)).toHaveLength(1);
  }
}

type CollectionData = { reference: string; amount: number; payment_reference: string | null };
const kobo = (naira: unknown) => Math.round(Number(naira) * 100);
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
