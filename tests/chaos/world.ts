import type { ServiceName } from "@collect/contracts";
import { type ServerAddresses, type Stack, startStack, type TestMerchant } from "../stack.ts";
import { type Books, emptyBooks } from "./books.ts";
import { type Disks, mountDisks } from "./disks.ts";
import { type Members, openMembers } from "./members.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { ON_THE_PATH, REPLICAS } from "./schedule.ts";
import type { Timeline } from "./timeline.ts";
import { openWire, type Wire } from "./wire.ts";

/** The product with two replicas of each service, the wires and disks that faults work on, and the outside's books. */
export type World = {
  stack: Stack;
  members: Members;
  wires: { database: Map<string, Wire>; broker: Map<string, Wire> };
  /** Undefined where nothing may be mounted. */
  disks: Disks | undefined;
  merchants: TestMerchant[];
  receiver: Receiver;
  books: Books;
  timeline: Timeline;
  close(): Promise<void>;
};

/** A session waits this long, so that late money is a matter of seconds. */
const SESSION_EXPIRY_S = "15";
/** The bank is asked for this long about a payout it does not know: longer than any fault may hold up its sending. */
const TRANSFER_UNKNOWN_AFTER_S = "40";
const LIMITS = { accounts: 1_000_000, reads: 1_000_000 };
const SERVICES = ["gateway", ...ON_THE_PATH, "checkout", "dashboard"] as const satisfies readonly ServiceName[];
const OWN: Partial<Record<ServiceName, Record<string, string>>> = {
  payments: { SESSION_EXPIRY_S, TRANSFER_UNKNOWN_AFTER_S },
};

export async function openWorld(options: {
  seed: number;
  merchants: number;
  withDisks: boolean;
  timeline: Timeline;
}): Promise<World> {
  const { timeline } = options;
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    const books = emptyBooks();
    const receiver = await openReceiver(books, options.seed);
    closing.push(() => receiver.close());

    let disks: Disks | undefined;
    const wires: World["wires"] = { database: new Map(), broker: new Map() };
    closing.push(() => {
      for (const wire of [...wires.database.values(), ...wires.broker.values()]) wire.close();
    });
    const environments = new Map<ServiceName, Record<string, string>[]>();
    const stack = await startStack({
      prepare: async (directory) => {
        disks = options.withDisks ? await mountDisks(directory) : undefined;
        return async () => disks?.unmount();
      },
      env: async (servers) => {
        for (const service of SERVICES) environments.set(service, await planReplicas(service, servers, wires));
        return Object.fromEntries([...environments].map(([service, [first = {}]]) => [service, first]));
      },
    });
    closing.push(() => stack.stop());
    const plans = [...environments].map(([service, replicas]) => ({ service, replicas }));
    const members = await openMembers(stack, timeline, plans);
    closing.push(() => members.dismiss());

    const merchants: TestMerchant[] = [];
    while (merchants.length < options.merchants) {
      const webhook = `${receiver.url}/${merchants.length}`;
      const merchant = await stack.createMerchant({ webhook, rateLimits: LIMITS });
      receiver.admit(merchant);
      merchants.push(merchant);
    }
    return { stack, members, wires, disks, merchants, receiver, books, timeline, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Each replica on the path of money has wires of its own. */
async function planReplicas(service: ServiceName, servers: ServerAddresses, wires: World["wires"]) {
  const replicas: Record<string, string>[] = [];
  for (let index = 0; index < REPLICAS; index++) {
    const env: Record<string, string> = { ...OWN[service] };
    if (service === "ledger") env.LEDGER_SHARD = String(index);
    if (ON_THE_PATH.some((name) => name === service)) {
      const database = await openWire(servers.databaseUrl(service));
      const broker = await openWire(servers.natsUrl);
      wires.database.set(`${service}.${index}`, database);
      wires.broker.set(`${service}.${index}`, broker);
      Object.assign(env, { DATABASE_URL: database.url, NATS_URL: broker.url });
    }
    replicas.push(env);
  }
  return replicas;
}
