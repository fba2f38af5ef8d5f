import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVENTS, type Fact, transferUnallocated } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { createAuthority, freePort, type NatsServer, startNats } from "@collect/servers";
import { afterAll, expect, test } from "vitest";
import {
  type BrokerCluster,
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
const PASSWORD = "a".repeat(22);
afterAll(async () => {
  await Promise.all(running.map((server) => server.kill()));
  await rm(directory, { recursive: true });
});

async function startNode(
  { name, port, route }: (typeof nodes)[number],
  options: Partial<BrokerCluster> = {},
): Promise<void> {
  const config = brokerCluster({ listen: `127.0.0.1:${route}`, servers, password: PASSWORD, ...options });
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
    // While a replica moves, a durable has its former servers beside the new ones.
    await until(`each durable has ${replicas} replicas`, async () => {
      const counts = (await bus.manager.consumers.list(stream).next()).map(
        ({ cluster }) => cluster?.replicas?.length ?? 0,
      );
      return counts.length > 0 && counts.every((others) => others + 1 === replicas);
    });
  }
  isOver = true;
  await flowing;
  // Usually within a second; on a busy machine it has taken half a minute.
  const missing = () => published.filter((id) => !handled.has(id));
  await expect.poll(missing, { timeout: 100_000 }).toEqual([]);
  await consumers.stop();
  await bus.close();
}, 180_000);

test("more replicas than there are servers are refused by the setting's name", async () => {
  const bus = await connectBus({ url, seed: SEEDS.administrator, name: "gateway", log });
  await bus.manager.streams.delete(streamName("accounts", "test"));
  await expect(ensureStreams(bus.manager, EVENTS, { replicas: 5 })).rejects.toThrow("NATS_REPLICAS is 5");
  await bus.close();
});

test("with certificates servers join by encrypted routes, and one without, or with another password, does not", async () => {
  const authority = await createAuthority(directory);
  const files = { cert: join(directory, "certificate.pem"), key: join(directory, "key.pem"), ca: authority.file };
  const { certificate, key } = await authority.certify("localhost");
  await writeFile(files.cert, certificate);
  await writeFile(files.key, key, { mode: 0o600 });
  const encrypted = await Promise.all(
    ["tls-0", "tls-1", "clear", "wrong"].map(async (name) => ({
      name,
      port: await freePort(),
      route: await freePort(),
    })),
  );
  const [first, second, clear, wrong] = encrypted;
  if (!first || !second || !clear || !wrong) throw new Error("there are four");
  const options = { servers: [`localhost:${first.route}`, `localhost:${second.route}`], certificate: files };
  await startNode(first, options);
  await startNode(clear, { servers: options.servers });
  await startNode(wrong, { ...options, password: "b".repeat(22) });
  await until("those are refused", async () => {
    const refused = await readFile(join(directory, first.name, "server.log"), "utf8");
    return /TLS route handshake error/.test(refused) && /Authorization|authentication/i.test(refused);
  });
  await startNode(second, options);
  const bus = await connectBus({
    url: `nats://127.0.0.1:${first.port}`,
    seed: SEEDS.administrator,
    name: "gateway",
    log,
  });
  await until("the second has joined", () => bus.nats.info?.connect_urls?.length === 2);
  expect(bus.nats.info?.connect_urls?.map((address) => address.split(":")[1]).toSorted()).toEqual(
    [first.port, second.port].map(String).toSorted(),
  );
  await bus.close();
});
