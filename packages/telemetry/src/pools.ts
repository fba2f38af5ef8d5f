import { gauge } from "./registry.ts";

/** A pool of connections as `pg` has it. */
type Pool = {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
  ended: boolean;
  options: { max: number };
};

/** The pools of this process by name, until they have ended. */
const pools = new Map<string, Pool>();

/** Shows the use of a pool from now on. Its name is one of a few in the code. */
export function watchPool(name: string, pool: Pool): void {
  pools.set(name, pool);
}

const connections = gauge(
  {
    name: "database_connections",
    help: "Connections of a pool. State: used or idle.",
    labels: ["pool", "state"],
  },
  () => {
    connections.reset();
    for (const [pool, { totalCount, idleCount }] of open()) {
      connections.set({ pool, state: "used" }, totalCount - idleCount);
      connections.set({ pool, state: "idle" }, idleCount);
    }
  },
);

const connectionsMax = gauge(
  { name: "database_connections_max", help: "The most connections that a pool may open.", labels: ["pool"] },
  () => {
    connectionsMax.reset();
    for (const [pool, { options }] of open()) connectionsMax.set({ pool }, options.max);
  },
);

const callersWaiting = gauge(
  {
    name: "database_callers_waiting",
    help: "Callers that wait for a connection of a pool; for longer than moments, it is too small or the database too slow.",
    labels: ["pool"],
  },
  () => {
    callersWaiting.reset();
    for (const [pool, { waitingCount }] of open()) callersWaiting.set({ pool }, waitingCount);
  },
);

function open(): Map<string, Pool> {
  for (const [name, { ended }] of pools) if (ended) pools.delete(name);
  return pools;
}
