import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVENTS, transferReceived } from "@collect/contracts";
import { createLogger } from "@collect/runtime";
import { startNats } from "@collect/servers";
import { AckPolicy, RetentionPolicy } from "@nats-io/jetstream";
import { expect, onTestFinished, test } from "vitest";
import { durableName, ensureStreams, migrateBus, partitionOf, streamName, subjectOf } from "../src/index.ts";

import { connectToAll, SEEDS, USERS } from "./world.ts";

const log = createLogger("bus", "silent");

async function aBroker() {
  const directory = await mkdtemp(join(tmpdir(), "collect-streams-"));
  const nats = await startNats({ directory, port: 0, users: USERS });
  const bus = await connectToAll(nats.url, "gateway");
  onTestFinished(async () => {
    await bus.close();
    await nats.stop();
    await rm(directory, { recursive: true, force: true });
  });
  return { url: nats.url, bus, manager: bus.manager };
}

test("facts of one merchant stay in one partition, and merchants are spread over all partitions", () => {
  const merchants = Array.from({ length: 1_000 }, (_, n) => `mer_${n}`);
  const partitions = () => merchants.map((merchant) => partitionOf(merchant, 4));
  expect(partitions()).toEqual(partitions());
  expect(new Set(partitions())).toEqual(new Set([0, 1, 2, 3]));
});

test("subjects have six parts and every durable has a unique name", () => {
  for (const event of EVENTS) expect(subjectOf(event, "live", 3).split(".")).toHaveLength(6);
  const names = EVENTS.flatMap((event) =>
    event.to.flatMap((to) => [durableName(event, to, "test"), durableName(event, to, "live")]),
  );
  expect(new Set(names).size).toBe(names.length);
});

test("the migrate step updates durables, deletes what no contract declares, and is idempotent", async () => {
  const { url, manager } = await aBroker();
  // As an earlier release created it: one stream for both modes.
  await manager.streams.add({
    name: "ACCOUNTS",
    subjects: ["accounts.*.*.*.*.*"],
    retention: RetentionPolicy.Interest,
  });
  await manager.streams.add({ name: "UNRELATED", subjects: ["other.>"] });
  expect(await migrateBus({ url, seed: SEEDS.migrate, log })).toEqual({ removed: ["ACCOUNTS"] });

  const [stream, durable] = [streamName("accounts", "live"), durableName(transferReceived, "ledger", "live")];
  const { config } = await manager.consumers.info(stream, durable);
  await manager.consumers.update(stream, durable, { ...config, max_ack_pending: 5_000 });
  await manager.consumers.add(stream, {
    durable_name: "undeclared",
    ack_policy: AckPolicy.Explicit,
    filter_subject: `${transferReceived.subject}.live.*`,
  });
  expect(await migrateBus({ url, seed: SEEDS.migrate, log })).toEqual({ removed: ["undeclared"] });
  expect((await manager.consumers.info(stream, durable)).config.max_ack_pending).toBe(config.max_ack_pending);
  expect(await migrateBus({ url, seed: SEEDS.migrate, log })).toEqual({ removed: [] });
  expect((await manager.streams.info("UNRELATED")).config.subjects).toEqual(["other.>"]);
});

test("a starting service does not change existing durables", async () => {
  const { manager } = await aBroker();
  await ensureStreams(manager, EVENTS);
  const [stream, durable] = [streamName("accounts", "live"), durableName(transferReceived, "ledger", "live")];
  const { config } = await manager.consumers.info(stream, durable);
  await manager.consumers.update(stream, durable, { ...config, max_ack_pending: 77 });
  await ensureStreams(manager, EVENTS);
  expect((await manager.consumers.info(stream, durable)).config.max_ack_pending).toBe(77);
});

test("a full test stream refuses test facts, and live facts are still published", async () => {
  const { bus, manager } = await aBroker();
  await ensureStreams(manager, EVENTS);
  const { config } = await manager.streams.info(streamName("accounts", "test"));
  await manager.streams.update(config.name, { ...config, max_bytes: 1_024 });
  const fact = (mode: "test" | "live", n: number) => ({
    intakeId: `int_${n}`,
    merchant: { id: "mer_1", mode },
    accountNumber: "0123456789",
    customer: null,
    amount: 100n,
    currency: "NGN" as const,
    payer: { name: "Chidi Eze", accountNumber: null, bankName: null },
    paidAt: "2026-11-21T09:30:00.000+00:00",
    receivedAt: "2026-11-21T09:30:00.000+00:00",
    fundedBy: "bank" as const,
  });
  const many = (mode: "test" | "live") => Array.from({ length: 100 }, (_, n) => fact(mode, n));
  await expect(bus.publish(transferReceived, many("test"))).rejects.toThrow("maximum bytes exceeded");
  await bus.publish(transferReceived, many("live"));
  expect(await bus.backlog([transferReceived], "live")).toBe(2);
});

test("the backlog of a missing durable is zero, and an unreachable broker is an error", async () => {
  const { bus } = await aBroker();
  expect(await bus.backlog([transferReceived], "live")).toBe(0);
  await bus.close();
  await expect(bus.backlog([transferReceived], "live")).rejects.toThrow();
});

test("replicas on a broker that is no cluster are refused by the setting's name, and nothing is changed", async () => {
  const { url, manager } = await aBroker();
  const migrate = (replicas: number) => migrateBus({ url, seed: SEEDS.migrate, log, replicas });
  await expect(migrate(3)).rejects.toThrow("NATS_REPLICAS is 3");
  await migrate(1);
  await expect(migrate(3)).rejects.toThrow("NATS_REPLICAS is 3");
  expect((await manager.streams.info(streamName("accounts", "live"))).config.num_replicas).toBe(1);
});
