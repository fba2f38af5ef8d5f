import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer, type Bus, serveRequests } from "@collect/bus";
import {
  admitOperatorAct,
  admitOperatorOrder,
  concludeAct,
  confirmEpoch,
  MONEY_SERVICES,
  type ServiceName,
} from "@collect/contracts";
import { createPool, type Pool, type Pools } from "@collect/database";
import { createLogger, type Logger } from "@collect/runtime";
import { connectAs, connectAsOthers, startBroker } from "./broker.ts";
import { freshDatabase, type TestDatabase } from "./databases.ts";
import { type Merchants, startMerchants } from "./merchants.ts";

/**
 * One service alone: its own database with its own grants, its own broker, and connections that act as the other
 * services.
 */
export type World = {
  database: TestDatabase;
  pool: Pool;
  /** The same pool for everything, as `createApp` takes it. */
  pools: Pools;
  owner: Pool;
  bus: Bus;
  others: Bus;
  /** What the gateway says of merchants; all are verified unless a test says otherwise. */
  merchants: Merchants;
  log: Logger;
  natsUrl: string;
  close(): Promise<void>;
};

export async function openWorld(options: { service: ServiceName; directory: string }): Promise<World> {
  const log = createLogger(options.service, process.env.LOG_LEVEL ?? "silent");
  const store = await mkdtemp(join(tmpdir(), "collect-nats-"));
  const [database, nats] = await Promise.all([freshDatabase(options), startBroker({ directory: store, port: 0, log })]);
  const [bus, others] = await Promise.all([
    connectAs(options.service, { url: nats.url, log }),
    connectAsOthers({ url: nats.url, log }),
  ]);
  await confirmEpochs(others, options.service, log);
  if (options.service !== "gateway") await admitEveryAct(others, options.service, log);
  const merchants = await startMerchants(others, options.service, log);
  const pool = createPool({ url: database.service, service: options.service, log });
  const owner = createPool({ url: database.owner, service: "owner", log, max: 2 });
  return {
    database,
    pool,
    pools: poolsOf(pool),
    owner,
    bus,
    others,
    merchants,
    log,
    natsUrl: nats.url,
    async close() {
      await Promise.all([bus.close(), others.close(), pool.end(), owner.end()]);
      await Promise.all([nats.stop(), database.drop()]);
      await rm(store, { recursive: true, force: true });
    },
  };
}

/** One pool for all of a service's pools. */
export function poolsOf(pool: Pool): Pools {
  const both = { live: pool, test: pool };
  return { path: both, requests: both, lists: both, workers: pool };
}

/** A gateway that admits whatever an operator orders; the real one has tests of its own. */
async function admitEveryAct(others: Bus, service: ServiceName, log: Logger): Promise<void> {
  const entry = { chain: "", seq: "1", ticket: "ticket" };
  const requests = [
    ...[admitOperatorAct, admitOperatorOrder].map((contract) =>
      answer(contract, async () => ({ admitted: true as const, operator: "tester", entry })),
    ),
    // The dashboard's tests have an audit log, which is told the outcomes.
    ...(service === "dashboard" ? [] : [answer(concludeAct, async () => ({}))]),
  ];
  await serveRequests(others, { service: "gateway", log, requests }).start();
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
