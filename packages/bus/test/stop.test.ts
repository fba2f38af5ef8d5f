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

test("a replica with a backlog stops immediately, and returns its messages to the other replicas", async () => {
  const facts = Array.from({ length: 300 }, (): Fact<typeof transferUnallocated> => {
    const at = "2026-11-21T09:30:00.000+00:00";
    return { intakeId: randomUUID(), mode: "test", amount: 100n, paidAt: at, receivedAt: at };
  });
  for (const fact of facts) await bus.publish(transferUnallocated, [fact]);

  const handled = new Set<string>();
  const keep = async (ids: string[]) => {
    for (const id of ids) handled.add(id);
  };
  const gate = Promise.withResolvers<void>();
  const behind = replica((ids) => gate.promise.then(() => keep(ids)));
  await behind.start();
  const durable = durableName(transferUnallocated, "ledger", "test");
  const info = () => bus.manager.consumers.info(streamName("accounts", "test"), durable);
  await until("it holds its maximum", async () => (await info()).num_ack_pending === 256);

  const began = performance.now();
  const stopped = behind.stop();
  gate.resolve();
  await stopped;
  expect(handled.size).toBeLessThan(100);
  const other = replica(keep);
  await other.start();
  await until("the other replica handled the rest", () => handled.size === facts.length);
  // Sooner than the broker's acknowledgment timeout.
  expect(performance.now() - began).toBeLessThan(8_000);
  await other.stop();
});
