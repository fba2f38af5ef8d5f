import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer, type Bus, connectBus, serveRequests } from "@collect/bus";
import { confirmEpoch, MONEY_SERVICES, type ServiceName } from "@collect/contracts";
import { createPool, type Pool, type Pools } from "@collect/database";
import { createLogger, type Logger } from "@collect/runtime";
import { startNats } from "@collect/servers";
import { freshDatabase, type TestDatabase } from "./databases.ts";

/**
 * One service alone: its own database with its own grants, its own broker, and a second connection that acts as the
 * other services.
 */
export type World = {
  database: TestDatabase;
  pool: Pool;
  /** The same pool for everything, as `createApp` takes it. */
  pools: Pools;
  owner: Pool;
  bus: Bus;
  others: Bus;
  log: Logger;
  natsUrl: string;
  close(): Promise<void>;
};

export async function openWorld(options: { service: ServiceName; directory: string }): Promise<World> {
  const log = createLogger(options.service, process.env.LOG_LEVEL ?? "silent");
  const store = await mkdtemp(join(tmpdir(), "collect-nats-"));
  const [database, nats] = await Promise.all([freshDatabase(options), startNats({ directory: store, port: 0 })]);
  const [bus, others] = await Promise.all([
    connectBus({ url: nats.url, name: options.service, log }),
    connectAsOthers({ url: nats.url, log }),
  ]);
  await confirmEpochs(others, options.service, log);
  const pool = createPool({ url: database.service, service: options.service, log });
  const owner = createPool({ url: database.owner, service: "owner", log, max: 2 });
  return {
    database,
    pool,
    pools: poolsOf(pool),
    owner,
    bus,
    others,
    log,
    natsUrl: nats.url,
    async close() {
      await Promise.all([bus.nats.close(), others.nats.close(), pool.end(), owner.end()]);
      await Promise.all([nats.stop(), database.drop()]);
      await rm(store, { recursive: true, force: true });
    },
  };
}

/** A connection that may send any request, as one of its declared callers. */
export async function connectAsOthers(options: { url: string; log: Logger }): Promise<Bus> {
  const bus = await connectBus({ ...options, name: "operator" });
  return {
    ...bus,
    request: (contract, ...given) => bus.request({ ...contract, callers: ["operator"] }, ...given),
  };
}

/** One pool for all of a service's pools. */
export function poolsOf(pool: Pool): Pools {
  const both = { live: pool, test: pool };
  return { path: both, requests: both, lists: both, workers: pool };
}

/** Peers that keep the highest epoch they receive, as the services do. */
async function confirmEpochs(others: Bus, service: string, log: Logger): Promise<void> {
  let highest = 0;
  for (const peer of MONEY_SERVICES.filter((name) => name !== service)) {
    const confirm = answer(confirmEpoch[peer], async ({ epoch }) => {
      const held = highest;
      highest = Math.max(highest, epoch);
      return { held };
    });
    await serveRequests(others, { service: peer, log, requests: [confirm] }).start();
  }
}
