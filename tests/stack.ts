import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bus } from "@collect/bus";
import type { ServiceName } from "@collect/contracts";
import { addressOf, createPool, databaseOf, type Pool } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { connectAsOthers, startReceiver, type WebhookReceiver } from "@collect/testing";
import { backUp } from "./stack/backup.ts";
import { untilCurrent } from "./stack/current.ts";
import { type MerchantOptions, makeMerchant, type TestMerchant } from "./stack/merchant.ts";
import { databaseUrl, planProcesses } from "./stack/plans.ts";
import { type Nats, openNats, openPostgres, type Postgres } from "./stack/servers.ts";
import { type ProcessName, type Service, startService } from "./stack/service.ts";

export type { TestMerchant } from "./stack/merchant.ts";
export type { ProcessName, Replica, Service } from "./stack/service.ts";

export type StackOptions = {
  /** Settings of PostgreSQL, instead of those that avoid disk writes. */
  postgres?: Record<string, string>;
  /** Merged over the default environment of a process; a function is called once the servers are running. */
  env?: Environments | ((servers: ServerAddresses) => Promise<Environments>);
  logLevel?: string;
  /** One server each by default. */
  openPostgres?: (directory: string) => Promise<Postgres>;
  openNats?: (directory: string) => Promise<Nats>;
  /** Prepares the directory where `postgres` and `nats` store their data; the returned function runs at the very end. */
  prepare?(directory: string): Promise<() => Promise<void>>;
};
type Environments = Partial<Record<ProcessName, Record<string, string>>>;
export type ServerAddresses = { natsUrl: string; databaseUrl(service: ServiceName): string };

/** The whole product as real processes on loopback, with separate servers and data. */
export type Stack = {
  /** `{base_url}`: the merchant API with its version. */
  baseUrl: string;
  /** `{checkout_host}`. */
  checkoutUrl: string;
  /** The app host. */
  dashboardUrl: string;
  bankDoor: { url: string; secret: string };
  bankSimulatorUrl: string;
  receiver: WebhookReceiver;
  bus: Bus;
  createMerchant(options?: MerchantOptions): Promise<TestMerchant>;
  service(name: ProcessName): Service;
  /** A pool as the owner of a service's database: for assertions, and for making rows due now. */
  database(service: ServiceName): Pool;
  /** The connection URL of a service's own database. */
  databaseUrl(service: ServiceName): string;
  /** Connects to PostgreSQL as its administrator. */
  adminUrl: string;
  /** Copies the service's current database. The returned function restores the copy: the service must be stopped. */
  backUp(service: ServiceName): Promise<() => Promise<void>>;
  natsUrl: string;
  natsPid(): number;
  logs(name: ProcessName): string;
  stopPostgres(options?: { immediate?: boolean }): Promise<void>;
  startPostgres(): Promise<void>;
  restartNats(): Promise<void>;
  /** Restarts NATS with an empty store; the services keep running. */
  wipeNats(): Promise<void>;
  stop(): Promise<void>;
};

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const directory = await mkdtemp(join(tmpdir(), "collect-stack-"));
  const closing: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    if (options.prepare) closing.push(await options.prepare(directory));
    return await start(options, { directory, stop, closing });
  } catch (error) {
    await stop();
    throw error;
  }
}

type StartContext = { directory: string; stop(): Promise<void>; closing: (() => Promise<unknown>)[] };

async function start(options: StackOptions, { directory, stop, closing }: StartContext): Promise<Stack> {
  const [postgres, nats, receiver] = await allSettled([
    (options.openPostgres?.(directory) ?? openPostgres(directory, options.postgres)).then((server) => {
      closing.push(() => server.stop({ immediate: true }));
      return server;
    }),
    (options.openNats ?? openNats)(directory).then((server) => {
      closing.push(() => server.kill());
      return server;
    }),
    startReceiver().then((server) => {
      closing.push(() => server.stop());
      return server;
    }),
  ]);

  const { services, bankDoorSecret } = await startServices(options, { directory, closing, postgres, nats });
  const service = (name: ProcessName): Service => {
    const found = services.get(name);
    if (!found) throw new Error(`${name} is not running`);
    return found;
  };
  const log = createLogger("tests", "silent");
  const bus = await connectAsOthers({ url: nats.url, log });
  closing.push(() => bus.close());
  await untilCurrent(bus);

  return {
    baseUrl: `${service("gateway").url}/v1`,
    checkoutUrl: service("checkout").url,
    dashboardUrl: service("dashboard").url,
    bankDoor: { url: service("accounts").url, secret: bankDoorSecret },
    bankSimulatorUrl: service("bank-simulator").url,
    receiver,
    bus,
    createMerchant: (merchant) => makeMerchant({ bus, receiver }, merchant),
    service,
    database: ownerPools(postgres.url, closing),
    databaseUrl: (name) => databaseUrl(postgres.url, name),
    adminUrl: postgres.url,
    backUp: (name) => backUp(postgres.url, name),
    natsUrl: nats.url,
    natsPid: () => nats.pid(),
    logs: (name) =>
      service(name)
        .replicas.map((replica) => replica.logs())
        .join(""),
    stopPostgres: (how) => postgres.stop(how),
    startPostgres: () => postgres.start(),
    restartNats: () => nats.restart(),
    wipeNats: () => nats.restart({ wiped: true }),
    stop,
  };
}

/** A pool for each database that is asked for, as its owner. */
function ownerPools(adminUrl: string, closing: StartContext["closing"]): Stack["database"] {
  const pools = new Map<ServiceName, Pool>();
  closing.push(() => Promise.all([...pools.values()].map((pool) => pool.end())));
  return (name) => {
    const url = addressOf(adminUrl, databaseOf(name));
    const pool = pools.get(name) ?? createPool({ url, service: "owner", log: createLogger("tests", "silent"), max: 2 });
    pools.set(name, pool);
    return pool;
  };
}

async function startServices(
  options: StackOptions,
  { directory, closing, postgres, nats }: Omit<StartContext, "stop"> & { postgres: Postgres; nats: Nats },
) {
  const { plans, bankDoorSecret } = await planProcesses({
    postgresUrl: postgres.url,
    natsUrl: nats.url,
    natsReplicas: nats.replicas,
    logLevel: options.logLevel ?? "info",
  });
  const addresses = { natsUrl: nats.url, databaseUrl: (name: ServiceName) => databaseUrl(postgres.url, name) };
  const env = typeof options.env === "function" ? await options.env(addresses) : options.env;
  const services = new Map<ProcessName, Service>();
  closing.push(() =>
    Promise.all([...services.values()].flatMap(({ replicas }) => replicas.map((replica) => replica.kill9()))),
  );
  await allSettled(
    plans.map(async (plan) => {
      services.set(plan.name, await startService(plan, { directory, env: env?.[plan.name] }));
    }),
  );
  return { services, bankDoorSecret };
}

/** Waits for all of them even if one fails: whatever the others have started must be registered to be stopped. */
async function allSettled<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
