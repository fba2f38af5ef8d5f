import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVENTS, type Fact, transferUnallocated } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { freePort, type NatsServer, startNats } from "@collect/servers";
import { afterAll, expect, test } from "vitest";
import {
  brokerCluster,
  bus as busComponent,
  connectBus,
  consumeByStatement,
  consumeEvents,
  ensureStreams,
  migrateBus,
  streamName,
} from "../src/index.ts";
import { log, SEEDS, seal, USERS, until } from "./world.ts";

const directory = await mkdtemp(join(tmpdir(), "collect-cluster-"));
const nodes = await Promise.all(
  ["nats-0", "nats-1", "nats-2"].map(async (name) => ({ name, port: await freePort(), route: await freePort() })),
);
const url = nodes.map(({ port }) => `nats://127.0.0.1:${port}`).join();
const servers = nodes.map(({ route }) => `127.0.0.1:${route}`);
const running: NatsServer[] = [];
afterAll(async () => {
  await Promise.all(running.map((server) => server.kill()));
  await rm(directory, { recursive: true });
});

async function startNode({ name, port, route }: (typeof nodes)[number]): Promise<void> {
  const config = brokerCluster({ listen: `127.0.0.1:${route}`, servers, password: "a".repeat(22) });
  running.push(await startNats({ directory: join(directory, name), port, users: USERS, cluster: { name, config } }));
}

const migrate = (replicas: number) => migrateBus({ url, seed: SEEDS.migrate, log, replicas });

test("a service that starts first waits for the servers and their cluster, and says so; then streams have replicas", async () => {
  const waited: unknown[] = [];
  const telling = { ...log, warn: (fields: object) => void waited.push(fields) } as unknown as Logger;
  const accounts = connectBus({ url, seed: SEEDS.accounts, name: "accounts", log: telling, replicas: 3, seal });
  await until("it has said that it waits", () => waited.length > 1);
  for (const node of nodes.slice(0, 1)) await startNode(node);
  const bus = await accounts;
  const began = waited.length;
  const started = busComponent(bus).start();
  await until("it waits for the cluster", () => waited.length > began);
  for (const node of nodes.slice(1)) await startNode(node);
  await started;
  expect(waited.at(-1)).toMatchObject({ waits_for: "streams" });
  const { config, cluster } = await bus.manager.streams.info(streamName("accounts", "live"));
  expect([config.num_replicas, cluster?.replicas?.length]).toEqual([3, 2]);
  await bus.close();
}, 60_000);

test("the migrate step changes the replicas of streams and durables up and down under traffic, and loses nothing", async () => {
  await migrate(1);
  const bus = await connectBus({ url, seed: SEEDS.administrator, name: "accounts", log, seal });
  const handled = new Set<string>();
  const consumer = consumeByStatement(transferUnallocated, { batchMax: 20 }, async (_context, facts) => {
    for (const { intakeId } of facts) handled.add(intakeId);
  });
  const pools = { live: undefined, test: undefined } as never;
  const consumers = consumeEvents(bus, { service: "ledger", pools, log, consumers: [consumer] });
  await consumers.start();
  const published: string[] = [];
  let isOver = false;
  const at = "2026-11-21T09:30:00.000+00:00";
  const flowing = (async () => {
    while (!isOver) {
      const intakeId = `int_${published.length}`;
      const fact: Fact<typeof transferUnallocated> = {
        intakeId,
        mode: "live",
        amount: 100n,
        paidAt: at,
        receivedAt: at,
      };
      await until("it is published", () =>
        bus.publish(transferUnallocated, [fact]).then(
          () => true,
          () => false,
        ),
      );
      published.push(intakeId);
    }
  })();
  for (const replicas of [3, 1]) {
    await migrate(replicas);
    const stream = streamName("accounts", "live");
    const { config } = await bus.manager.streams.info(stream);
    expect(config.num_replicas).toBe(replicas);
    for await (const { name, cluster } of bus.manager.consumers.list(stream))
      expect([name, (cluster?.replicas?.length ?? 0) + 1]).toEqual([name, replicas]);
  }
  isOver = true;
  await flowing;
  await until("everything is handled", () => handled.size === published.length);
  await consumers.stop();
  await bus.close();
}, 60_000);

test("more replicas than there are servers are refused by the setting's name", async () => {
  const bus = await connectBus({ url, seed: SEEDS.administrator, name: "gateway", log });
  await bus.manager.streams.delete(streamName("accounts", "test"));
  await expect(ensureStreams(bus.manager, EVENTS, { replicas: 5 })).rejects.toThrow("NATS_REPLICAS is 5");
  await bus.close();
});
