import { randomUUID } from "node:crypto";
import { type Fact, transferUnallocated } from "@collect/contracts";
import { expect, test } from "vitest";
import { consumeByStatement, consumeEvents, durableName, streamName } from "../src/index.ts";
import { log, until, useBus } from "./world.ts";

const { world, bus } = await useBus("ledger");

function replica(handle: (ids: string[]) => Promise<void>) {
  const consumer = consumeByStatement(transferUnallocated, { batchMax: 20 }, (_context, facts) =>
    handle(facts.map(({ intakeId }) => intakeId)),
  );
  const pools = { live: world.pool, test: world.pool };
  return consumeEvents(bus, { service: "ledger", pools, log, consumers: [consumer] });
}

const durable = durableName(transferUnallocated, "ledger", "test");
const info = () => bus.manager.consumers.info(streamName("accounts", "test"), durable);

async function publishEach(count: number): Promise<string[]> {
  const facts = Array.from({ length: count }, (): Fact<typeof transferUnallocated> => {
    const at = "2026-11-21T09:30:00.000+00:00";
    return { intakeId: randomUUID(), mode: "test", amount: 100n, paidAt: at, receivedAt: at };
  });
  for (const fact of facts) await bus.publish(transferUnallocated, [fact]);
  return facts.map(({ intakeId }) => intakeId);
}

test("a replica that stops finishes and acknowledges what it has taken, takes nothing more, and leaves the rest to the others", async () => {
  const published = await publishEach(600);
  const handled: string[] = [];
  const gate = Promise.withResolvers<void>();
  const behind = replica((ids) => gate.promise.then(() => void handled.push(...ids)));
  await behind.start();
  await until("it holds its maximum", async () => (await info()).num_ack_pending === 256);

  const stopped = behind.stop();
  gate.resolve();
  await stopped;
  await bus.flush();
  expect(handled).toHaveLength(256);
  expect(await info()).toMatchObject({ num_ack_pending: 0, num_redelivered: 0, num_pending: 600 - 256 });

  const other = replica(async (ids) => void handled.push(...ids));
  await other.start();
  await until("the other replica handled the rest", () => handled.length === published.length);
  await other.stop();
  expect(handled.toSorted()).toEqual(published.toSorted());
});

test("messages that are on their way to a replica when it stops are finished too", async () => {
  const published: string[] = [];
  const handled: string[] = [];
  for (let round = 0; round < 5; round++) {
    const flowing = Promise.all(Array.from({ length: 20 }, () => publishEach(30)));
    const before = handled.length;
    const brief = replica(async (ids) => void handled.push(...ids));
    await brief.start();
    await until("it is at work", () => handled.length > before + 50);
    await brief.stop();
    published.push(...(await flowing).flat());
    expect(await info()).toMatchObject({ num_ack_pending: 0, num_pending: published.length - handled.length });
  }
});

test("a replica that cannot finish in time returns what it has taken to the others", async () => {
  const published = await publishEach(300);
  const handled = new Set<string>();
  const keep = async (ids: string[]) => {
    for (const id of ids) handled.add(id);
  };
  const unavailable = replica(async () => {
    throw Object.assign(new Error("the database is down"), { code: "ECONNREFUSED" });
  });
  await unavailable.start();
  await until("it holds its maximum", async () => (await info()).num_ack_pending === 256);
  const began = performance.now();
  await unavailable.stop();
  const other = replica(keep);
  await other.start();
  await until("the other replica handled all", () => published.every((id) => handled.has(id)));
  // Sooner than the broker's acknowledgment timeout after the five seconds in which it tries to finish.
  expect(performance.now() - began).toBeLessThan(5_000 + 8_000);
  await other.stop();
});
