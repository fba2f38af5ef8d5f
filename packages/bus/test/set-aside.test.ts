import { randomUUID } from "node:crypto";
import { type Fact, transferReceived } from "@collect/contracts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { consumeByStatement } from "../src/index.ts";
import { startConsumers, until, useBus } from "./world.ts";

/** Another session has locked one merchant's rows: other merchants' facts are still handled. */

type Received = Fact<typeof transferReceived>;

const { world, bus } = await useBus("ledger");
const handled = new Set<string>();
const locked = new Set<string>();
let tries = 0;

const handler = consumeByStatement(transferReceived, { batchMax: 200 }, async (_context, facts) => {
  tries++;
  if (facts.some(({ merchant }) => locked.has(merchant.id)))
    throw Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });
  for (const { intakeId } of facts) handled.add(intakeId);
});
afterAll(await startConsumers({ world, bus }, handler));
beforeEach(() => {
  locked.clear();
  tries = 0;
});

const aTransfer = (merchantId: string): Received => ({
  intakeId: randomUUID(),
  merchant: { id: merchantId, mode: "live" },
  accountNumber: "0123456789",
  customer: null,
  amount: 100n,
  currency: "NGN",
  payer: { name: "Chidi Eze", accountNumber: null, bankName: null },
  paidAt: "2026-11-21T09:30:00.000+00:00",
  receivedAt: "2026-11-21T09:30:00.000+00:00",
  fundedBy: "bank",
});
const transfersOf = (merchants: number, each: number) =>
  Array.from({ length: merchants * each }, (_, n) => aTransfer(`mer_${n % merchants}`));
const areHandled = (transfers: Received[]) => transfers.every(({ intakeId }) => handled.has(intakeId));
const backlog = () => bus.backlog([transferReceived], "live");

test("the facts of all other merchants are handled while one is locked, and no backlog remains", async () => {
  locked.add("mer_7");
  const transfers = transfersOf(20, 10);
  await bus.publish(transferReceived, transfers);
  const others = transfers.filter(({ merchant }) => merchant.id !== "mer_7");
  await until("the others are handled", () => areHandled(others));
  await until("the backlog is empty", async () => (await backlog()) === 0);
  expect(
    transfers.filter(({ merchant }) => merchant.id === "mer_7").some(({ intakeId }) => handled.has(intakeId)),
  ).toBe(false);
  const { rows } = await world.pool.query("select 1 from dead_letters");
  expect(rows).toEqual([]);
});

test("under a lock that all merchants need, facts wait and are not set aside", async () => {
  const transfers = transfersOf(40, 2).map((transfer) => ({
    ...transfer,
    merchant: { ...transfer.merchant, id: `other_${transfer.merchant.id}` },
  }));
  for (const { merchant } of transfers) locked.add(merchant.id);
  await bus.publish(transferReceived, transfers);
  await until("it was retried many times", () => tries > 200);
  expect(await backlog()).toBeGreaterThan(0);
  locked.clear();
  await until("the backlog is empty", async () => (await backlog()) === 0);
  expect(transfers.filter(({ intakeId }) => handled.has(intakeId)).length).toBeGreaterThanOrEqual(64);
});
