import { randomUUID } from "node:crypto";
import { type Fact, transferUnallocated } from "@collect/contracts";
import { statement } from "@collect/database";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { consumeByStatement, durableName, streamName } from "../src/index.ts";
import { startConsumers, until, useBus } from "./world.ts";

/** A consumer with more messages than it can process at once. Every message here has one fact. */

type Unallocated = Fact<typeof transferUnallocated>;

const STREAM = streamName("accounts", "test");
const DURABLE = durableName(transferUnallocated, "ledger", "test");
const BATCH_MAX = 20;

const { world, bus } = await useBus("ledger");
/** The facts that the handler got, and what it waits for before it returns. */
const handled: string[] = [];
let gate: () => Promise<unknown> = async () => {};

const sleepInDatabase = statement("select pg_sleep(0.05)");

const handler = consumeByStatement(transferUnallocated, { batchMax: BATCH_MAX }, async (_context, facts) => {
  handled.push(...facts.map(({ intakeId }) => intakeId));
  await gate();
});
afterAll(await startConsumers({ world, bus }, handler));
beforeEach(() => {
  handled.splice(0);
  gate = async () => {};
});

const aFact = (): Unallocated => ({
  intakeId: randomUUID(),
  mode: "test",
  amount: 100n,
  paidAt: "2026-11-21T09:30:00.000+00:00",
  receivedAt: "2026-11-21T09:30:00.000+00:00",
});

async function publishOneByOne(count: number): Promise<string[]> {
  const facts = Array.from({ length: count }, aFact);
  const remaining = [...facts];
  const publishOn = async () => {
    for (let fact = remaining.shift(); fact; fact = remaining.shift()) await bus.publish(transferUnallocated, [fact]);
  };
  await Promise.all(Array.from({ length: 32 }, publishOn));
  return facts.map(({ intakeId }) => intakeId);
}
const info = () => bus.manager.consumers.info(STREAM, DURABLE);

test("a stalled consumer holds a bounded number of messages; the others stay on the broker", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = () => promise;
  const published = await publishOneByOne(800);
  await until("it has taken its maximum", async () => (await info()).num_ack_pending >= 200);
  // A round trip to the broker: pending deliveries have arrived by then.
  await bus.nats.flush();
  const { num_ack_pending, num_pending } = await info();
  expect(num_ack_pending).toBeLessThanOrEqual(256);
  expect(num_pending).toBeGreaterThanOrEqual(800 - 256);
  resolve();
  await until("everything is handled", async () => {
    const { num_ack_pending: taken, num_pending: waiting } = await info();
    return taken + waiting === 0;
  });
  expect(handled.toSorted()).toEqual(published.toSorted());
});

test("a message that is redelivered while it waits is handled once", async () => {
  const { config } = await info();
  await bus.manager.consumers.update(STREAM, DURABLE, { ...config, ack_wait: 1_000 * 1e6 });
  gate = () => sleepInDatabase(world.pool);
  // More than two seconds of work in flight; the broker's acknowledgment timeout is one second.
  const published = await publishOneByOne(1_000);
  await until("everything is handled", async () => {
    const { num_ack_pending, num_pending } = await info();
    return num_ack_pending + num_pending === 0;
  });
  expect(handled.toSorted()).toEqual(published.toSorted());
  await bus.manager.consumers.update(STREAM, DURABLE, config);
});

describe("when the database is down", () => {
  test("a batch is retried in memory, and no more messages are requested meanwhile", async () => {
    let failures = 3;
    gate = async () => {
      if (failures-- > 0) throw Object.assign(new Error("the database system is shutting down"), { code: "57P03" });
    };
    const published = await publishOneByOne(600);
    await until("everything is handled", async () => {
      const { num_ack_pending, num_pending, num_redelivered } = await info();
      expect(num_ack_pending).toBeLessThanOrEqual(256);
      expect(num_redelivered).toBe(0);
      return num_ack_pending + num_pending === 0;
    });
    expect(new Set(handled)).toEqual(new Set(published));
  });
});
