import { randomBytes } from "node:crypto";
import {
  type Broker,
  type BrokerUser,
  type Bus,
  brokerUsers,
  connectBus,
  createFactSeal,
  createSeals,
  createSeed,
  forEachUser,
  migrateBus,
  publicKeyOf,
  publicKeysOf,
} from "@collect/bus";
import { SERVICES, type ServiceName } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import { type NatsServer, startNats } from "@collect/servers";

/** The private keys of the broker's users, of all brokers that this process starts. */
export const SEEDS: Record<BrokerUser | "administrator", string> = {
  ...forEachUser(() => createSeed()),
  administrator: createSeed(),
};

/** The operator of the tests, as the gateway is told. */
export const OPERATORS = `tester:${publicKeyOf(SEEDS.operator)}`;

const aKey = () => `test:${randomBytes(32).toString("hex")}`;

/** What accounts and the ledger share, and what payments and the ledger share. */
export const FACT_KEY = aKey();
export const PAYOUT_KEY = aKey();
/** What the services share that take orders of payouts and keys, or carry them out. */
export const ORDER_KEY = aKey();
const FACTS: readonly string[] = ["accounts", "ledger"];
const PAYOUTS: readonly string[] = ["payments", "ledger"];
const ORDERS: readonly string[] = ["gateway", "dashboard", "payments", "ledger"];

/** The users of a test's broker: those of every deployment, and an administrator. */
export const TEST_USERS = brokerUsers({ ...publicKeysOf(SEEDS), administrator: [publicKeyOf(SEEDS.administrator)] });

/** A broker that lets in whom a deployment's lets in, with its streams. */
export async function startBroker(options: { directory: string; port: number; log: Logger }): Promise<NatsServer> {
  const { directory, port } = options;
  const nats = await startNats({ directory, port, users: TEST_USERS });
  await migrateBus({ ...brokerAt(nats.url, "migrate"), log: options.log });
  return nats;
}

export const brokerAt = (url: string, user: keyof typeof SEEDS): Broker => ({ url, seed: SEEDS[user] });

/** What the environment of a service's process needs for the bus. */
export const busEnvironment = (
  url: string,
  service: ServiceName,
  { replicas = 1 }: { replicas?: number | undefined } = {},
) => ({
  NATS_URL: url,
  NATS_REPLICAS: String(replicas),
  NATS_NKEY_SEED: SEEDS[service],
  ...(FACTS.includes(service) && { FACT_KEY }),
  ...(PAYOUTS.includes(service) && { PAYOUT_KEY }),
  ...(ORDERS.includes(service) && { ORDER_KEY }),
});

export const connectAs = (user: keyof typeof SEEDS, { url, log }: { url: string; log: Logger }): Promise<Bus> =>
  connectBus({
    ...brokerAt(url, user),
    // The process of the operators' pages is a caller like any operator.
    name: user === "operators" ? "operator" : user,
    log,
    ...(FACTS.includes(user) && { seal: createFactSeal(FACT_KEY) }),
    seals: createSeals({
      ...(PAYOUTS.includes(user) && { payouts: PAYOUT_KEY }),
      ...(ORDERS.includes(user) && { orders: ORDER_KEY }),
    }),
  });

/**
 * All other services and the operator, each as the user that it is: a request goes out as one of its declared callers, is
 * served as its service, and a fact is published as its publisher. The rest is the administrator's.
 */
export async function connectAsOthers(options: { url: string; log: Logger }): Promise<Bus> {
  const users = [...SERVICES, "operator", "administrator"] as const;
  const connections = await Promise.all(users.map((user) => connectAs(user, options)));
  const of = (user: string): Bus => {
    const found = connections[users.findIndex((name) => user === name)];
    if (!found) throw new Error(`${user} is no user of the broker`);
    return found;
  };
  const administrator = of("administrator");
  return {
    ...administrator,
    request: (contract, ...given) => of(callerOf(contract)).request(contract, ...given),
    serve: (contract, onMessage) => of(contract.to).serve(contract, onMessage),
    publish: (event, facts) => of(event.from).publish(event, facts),
    flush: async () => void (await Promise.all(connections.map((bus) => bus.flush()))),
    close: async () => void (await Promise.all(connections.map((bus) => bus.close()))),
  };
}

/** A service rather than the operator, whose acts are signed and recorded. */
function callerOf({ subject, callers }: { subject: string; callers: readonly string[] }): string {
  const caller = callers.find((other) => other !== "operator") ?? callers[0];
  if (!caller) throw new Error(`${subject} has no callers`);
  return caller;
}
