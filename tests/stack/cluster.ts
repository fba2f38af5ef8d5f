import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { brokerCluster, migrateBus } from "@collect/bus";
import { createLogger } from "@collect/runtime";
import { freePort, type NatsServer, startNats } from "@collect/servers";
import { brokerAt, TEST_USERS } from "@collect/testing";
import type { Nats } from "./servers.ts";

/** One server of a cluster. */
export type ClusterNode = {
  name: string;
  start(): Promise<void>;
  /** Immediately, as in a power failure. */
  kill(): Promise<void>;
  /** Gracefully: it hands its streams over. */
  stop(): Promise<void>;
  /** It must not be running. */
  removeDisk(): Promise<void>;
};

export type Cluster = Nats & { nodes: ClusterNode[]; node(name: string): ClusterNode };

const NAMES = ["nats-0", "nats-1", "nats-2"];

/** Three servers, with streams on all of them. */
export async function openCluster(directory: string): Promise<Cluster> {
  const password = randomBytes(24).toString("hex");
  const ports = await Promise.all(
    NAMES.map(async (name) => ({ name, client: await freePort(), route: await freePort() })),
  );
  const servers = ports.map(({ route }) => `127.0.0.1:${route}`);
  const nodes = ports.map(({ name, client, route }) => {
    const config = brokerCluster({ listen: `127.0.0.1:${route}`, servers, password });
    return createNode({ directory: join(directory, name), port: client, users: TEST_USERS, cluster: { name, config } });
  });
  const each = async (act: (node: ClusterNode) => Promise<void>) => void (await Promise.all(nodes.map(act)));
  await each((node) => node.start());
  const url = ports.map(({ client }) => `nats://127.0.0.1:${client}`).join();
  await migrateBus({ ...brokerAt(url, "migrate"), replicas: NAMES.length, log: createLogger("tests", "silent") });
  const node = (name: string) => {
    const found = nodes.find((one) => one.name === name);
    if (!found) throw new Error(`${name} is no server of the cluster`);
    return found;
  };
  return {
    url,
    replicas: NAMES.length,
    nodes,
    node,
    async restart({ wiped } = {}) {
      await each((one) => one.kill());
      if (wiped) await each((one) => one.removeDisk());
      await each((one) => one.start());
    },
    kill: () => each((one) => one.kill()),
    pid: () => nodes[0]?.pid() ?? 0,
  };
}

type StartOptions = Parameters<typeof startNats>[0] & { cluster: { name: string } };

function createNode(options: StartOptions): ClusterNode & { pid(): number } {
  let server: NatsServer | undefined;
  return {
    name: options.cluster.name,
    async start() {
      server = await startNats(options);
    },
    kill: async () => server?.kill(),
    stop: async () => server?.stop(),
    removeDisk: () => rm(join(options.directory, "jetstream"), { recursive: true }),
    pid: () => server?.pid ?? 0,
  };
}
