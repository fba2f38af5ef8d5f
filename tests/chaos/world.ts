import type { ServiceName } from "@collect/contracts";
import { UNSAFE } from "../stack/template.ts";
import { type ServerAddresses, type Stack, startStack, type TestMerchant } from "../stack.ts";
import { type Disks, mountDisks } from "./disks.ts";
import { type Members, openMembers } from "./members.ts";
import { noObservations, type Observations } from "./observations.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { type Fault, ON_THE_PATH } from "./schedule.ts";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import type { Timeline } from "./timeline.ts";

/**
 * The product with some replicas of each service, the proxies and disks that faults act on, and the observations from
 * outside.
 */
export type World = {
  stack: Stack;
  members: Members;
  proxies: { database: Map<string, TcpProxy>; broker: Map<string, TcpProxy> };
  /** Undefined if mounting is not permitted. */
  disks: Disks | undefined;
  merchants: TestMerchant[];
  receiver: Receiver;
  observations: Observations;
  timeline: Timeline;
  close(): Promise<void>;
};

/** Begins a fault and returns a function that ends it and undoes its effects on the stack. */
export type Injection = (world: World, fault: Fault) => Promise<() => Promise<unknown>>;

/** Short, so that sessions can be paid late within seconds. */
const SESSION_EXPIRY_S = "15";
/** How long an unknown payout is looked up at the bank: longer than any fault can delay sending it. */
const TRANSFER_UNKNOWN_AFTER_S = "40";
/** What one replica of every service may open together, and a margin. */
const CONNECTIONS = 110;
const LIMITS = { accounts: 1_000_000, reads: 1_000_000 };
const SERVICES = ["gateway", ...ON_THE_PATH, "checkout", "dashboard"] as const satisfies readonly ServiceName[];
const OWN: Partial<Record<ServiceName, Record<string, string>>> = {
  payments: { SESSION_EXPIRY_S, TRANSFER_UNKNOWN_AFTER_S },
};

export async function openWorld(options: {
  seed: number;
  merchants: number;
  replicas: number;
  withDisks: boolean;
  timeline: Timeline;
}): Promise<World> {
  const { timeline } = options;
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    const observations = noObservations();
    const receiver = await openReceiver(observations, options.seed);
    closing.push(() => receiver.close());

    let disks: Disks | undefined;
    const proxies: World["proxies"] = { database: new Map(), broker: new Map() };
    closing.push(() => {
      for (const proxy of [...proxies.database.values(), ...proxies.broker.values()]) proxy.close();
    });
    const environments = new Map<ServiceName, Record<string, string>[]>();
    const stack = await startStack({
      postgres: { ...UNSAFE, max_connections: String(options.replicas * CONNECTIONS) },
      prepare: async (directory) => {
        disks = options.withDisks ? await mountDisks(directory) : undefined;
        return async () => disks?.unmount();
      },
      env: async (servers) => {
        for (const service of SERVICES)
          environments.set(service, await planReplicas(service, { ...options, servers, proxies }));
        return Object.fromEntries([...environments].map(([service, [first = {}]]) => [service, first]));
      },
    });
    closing.push(() => stack.stop());
    const plans = [...environments].map(([service, replicas]) => ({ service, replicas }));
    const members = await openMembers(stack, timeline, plans);
    closing.push(() => members.stopSupervising());

    const merchants: TestMerchant[] = [];
    while (merchants.length < options.merchants) {
      const webhook = `${receiver.url}/${merchants.length}`;
      const merchant = await stack.createMerchant({ webhook, rateLimits: LIMITS });
      receiver.register(merchant);
      merchants.push(merchant);
    }
    return { stack, members, proxies, disks, merchants, receiver, observations, timeline, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Each replica on the path of money has its own proxies. */
async function planReplicas(
  service: ServiceName,
  { replicas, servers, proxies }: { replicas: number; servers: ServerAddresses; proxies: World["proxies"] },
) {
  const environments: Record<string, string>[] = [];
  for (let index = 0; index < replicas; index++) {
    const env: Record<string, string> = { ...OWN[service] };
    if (service === "ledger") env.LEDGER_SHARD = String(index);
    if (ON_THE_PATH.some((name) => name === service)) {
      const database = await openTcpProxy(servers.databaseUrl(service));
      const broker = await openTcpProxy(servers.natsUrl);
      proxies.database.set(`${service}.${index}`, database);
      proxies.broker.set(`${service}.${index}`, broker);
      Object.assign(env, { DATABASE_URL: database.url, NATS_URL: broker.url });
    }
    environments.push(env);
  }
  return environments;
}
