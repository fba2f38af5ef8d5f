import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceName } from "@collect/contracts";
import { createPool, type Pool } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { type NatsServer, startNats, startPostgres } from "@collect/servers";
import { afterAll } from "vitest";
import {
  type Bus,
  brokerUsers,
  type Consumer,
  connectBus,
  consumeEvents,
  createFactSeal,
  createSeed,
  forEachUser,
  migrateBus,
  publicKeyOf,
  publicKeysOf,
} from "../src/index.ts";

/** A broker and a database with only the tables that the bus itself needs. */
export type BusWorld = {
  url: string;
  pool: Pool;
  nats(): NatsServer;
  restartNats(options: { wiped: boolean }): Promise<void>;
  close(): Promise<void>;
};

export const log = createLogger("bus", "silent");

/** The users of every deployment, and one that may do everything. */
export const SEEDS = { ...forEachUser(() => createSeed()), administrator: createSeed() };
export const USERS = brokerUsers({ ...publicKeysOf(SEEDS), administrator: [publicKeyOf(SEEDS.administrator)] });
export const seal = createFactSeal(`test:${"7".repeat(64)}`);

/** A connection that publishes and consumes as any service. */
export const connectToAll = (url: string, name: ServiceName): Promise<Bus> =>
  connectBus({ url, seed: SEEDS.administrator, name, log, seal });

const DEAD_LETTERS = `create table dead_letters (consumer text, natural_key text, subject text, fact text, error text, times int default 1,
  first_at timestamptz(3) default clock_timestamp(), last_at timestamptz(3) default clock_timestamp(), primary key (consumer, natural_key));
  create table handled (key text primary key, amount bigint)`;

export async function openBusWorld(): Promise<BusWorld> {
  const directory = await mkdtemp(join(tmpdir(), "collect-bus-"));
  const store = join(directory, "nats");
  const postgres = await startPostgres({ directory: join(directory, "postgres"), port: 0, settings: { fsync: "off" } });
  let nats = await startNats({ directory: store, port: 0, users: USERS });
  await migrateBus({ url: nats.url, seed: SEEDS.migrate, log });
  const pool = createPool({ url: postgres.url, service: "bus", log });
  await pool.query(DEAD_LETTERS);
  return {
    url: postgres.url,
    pool,
    nats: () => nats,
    async restartNats({ wiped }) {
      const { port } = nats;
      await nats.stop();
      if (wiped) await rm(store, { recursive: true, force: true });
      nats = await startNats({ directory: store, port, users: USERS });
    },
    async close() {
      await pool.end();
      await Promise.all([nats.stop(), postgres.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A world, and the connection of a service to its broker, for the whole test file. */
export async function useBus(name: ServiceName): Promise<{ world: BusWorld; bus: Bus }> {
  const world = await openBusWorld();
  const bus = await connectToAll(world.nats().url, name);
  afterAll(async () => {
    await bus.close();
    await world.close();
  });
  return { world, bus };
}

/** Starts these consumers of the ledger. Returns what stops them. */
export async function startConsumers({ world, bus }: { world: BusWorld; bus: Bus }, ...handlers: Consumer[]) {
  const pools = { live: world.pool, test: world.pool };
  const consumers = consumeEvents(bus, { service: "ledger", pools, log, consumers: handlers });
  await consumers.start();
  return () => consumers.stop();
}

export async function until<Value>(
  condition: string,
  check: () => Value | Promise<Value>,
): Promise<Exclude<Awaited<Value>, false>> {
  for (const end = performance.now() + 30_000; performance.now() < end; await sleep(20)) {
    const value = await check();
    if (value) return value as Exclude<Awaited<Value>, false>;
  }
  throw new Error(`timed out waiting until ${condition}`);
}
