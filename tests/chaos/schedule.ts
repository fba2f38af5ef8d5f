import { createRandom, type Random } from "./random.ts";

/** What a run does to the stack, and when: decided by the seed before anything is started. */

export const REPLICAS = 2;
export const ON_THE_PATH = ["accounts", "ledger", "payments", "webhooks"] as const;
const SERVICES = ["gateway", ...ON_THE_PATH, "checkout", "dashboard"] as const;
const replicasOf = (services: readonly string[]) =>
  services.flatMap((service) => Array.from({ length: REPLICAS }, (_, index) => `${service}.${index}`));

/** `forMs`: shortest and longest. What has no duration of its own is over as soon as it is done. */
type Shape = { targets: readonly string[]; forMs: readonly [number, number]; ways?: readonly string[] };

const PATH_REPLICAS = replicasOf(ON_THE_PATH);
const CONNECTIONS = ["one", "all"] as const;

export const FAULTS = {
  /** A replica is killed, and started again after that long. */
  kill: { targets: replicasOf(SERVICES), forMs: [0, 8_000] },
  /** SIGSTOP, then SIGCONT. */
  stop: { targets: PATH_REPLICAS, forMs: [3_000, 12_000] },
  /** A replica runs with another clock; PostgreSQL keeps the true time. */
  clock: { targets: PATH_REPLICAS, forMs: [8_000, 20_000], ways: ["3600000", "-3600000"] },
  "broker-kill": { targets: ["nats"], forMs: [0, 0] },
  "broker-stop": { targets: ["nats"], forMs: [3_000, 10_000] },
  /** Killed, its store deleted, started again. */
  "broker-wipe": { targets: ["nats"], forMs: [0, 0] },
  "database-kill": { targets: ["postgres"], forMs: [0, 5_000] },
  /** Connections that stay open and pass no byte until the end of the fault. */
  "silent-database": { targets: PATH_REPLICAS, forMs: [8_000, 25_000], ways: CONNECTIONS },
  "silent-broker": { targets: PATH_REPLICAS, forMs: [8_000, 25_000], ways: CONNECTIONS },
  /** The server's end is gone and the service's end learns nothing of it, ever. */
  "half-open-database": { targets: PATH_REPLICAS, forMs: [0, 0], ways: CONNECTIONS },
  "half-open-broker": { targets: PATH_REPLICAS, forMs: [0, 0], ways: CONNECTIONS },
  /** A lock on rows of one merchant. */
  lock: {
    targets: ["ledger_account", "webhook_counter", "payment_session", "inbound_transfers"],
    forMs: [5_000, 20_000],
  },
  /** Every stream refuses what is published. */
  "full-streams": { targets: ["nats"], forMs: [3_000, 10_000] },
  "full-disk-database": { targets: ["postgres"], forMs: [3_000, 8_000] },
  "full-disk-broker": { targets: ["nats"], forMs: [3_000, 8_000] },
  /** A database as it was at the beginning of the fault. */
  restore: { targets: ON_THE_PATH, forMs: [5_000, 15_000] },
} as const satisfies Record<string, Shape>;

export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];
/** Restores need the operator, too: they are injected only where a run names them. */
export const BY_DEFAULT = FAULT_KINDS.filter((kind) => kind !== "restore");

/** `at` in milliseconds since the start of the traffic; `how` picks among the ways of a kind; `merchant` whose rows. */
export type Fault = {
  at: number;
  forMs: number;
  kind: FaultKind;
  target: string;
  how: string;
  merchant: number;
};
/** So many transfers at once, beyond what the path can take. */
export type Burst = { at: number; count: number };
export type Schedule = { faults: Fault[]; bursts: Burst[] };

const FIRST_AT_MS = 3_000;
/** Every so many faults one begins while the last is still there. */
const OVERLAPPING = 0.25;
/** What ends a fault takes a moment itself. */
const SETTLED_AFTER_MS = 2_000;
const BURST_EVERY_MS = [20_000, 45_000] as const;

export function planChaos(options: {
  seed: number;
  seconds: number;
  kinds: readonly FaultKind[];
  merchants: number;
  burst: number;
  /** From the end of a fault to the beginning of the next, on average. */
  gapMs: number;
}): Schedule {
  const endMs = options.seconds * 1_000;
  const random = createRandom(options.seed, "faults");
  const faults: Fault[] = [];
  let at = FIRST_AT_MS;
  while (options.kinds.length > 0 && at < endMs) {
    // Each kind once before any is there a second time.
    for (const kind of random.shuffle(options.kinds)) {
      const fault = aFault(random, { kind, at, merchants: options.merchants });
      for (const other of faults)
        if (contradicts(other, fault)) fault.at = Math.max(fault.at, other.at + other.forMs + SETTLED_AFTER_MS);
      if (fault.at + fault.forMs > endMs) return { faults, bursts: planBursts(options) };
      faults.push(fault);
      const overlaps = random.chance(OVERLAPPING);
      const gap = random.int(options.gapMs / 2, options.gapMs * 1.5);
      at = fault.at + (overlaps ? Math.floor(fault.forMs / 2) : fault.forMs + gap);
    }
  }
  return { faults, bursts: planBursts(options) };
}

function aFault(random: Random, { kind, at, merchants }: { kind: FaultKind; at: number; merchants: number }): Fault {
  const shape: Shape = FAULTS[kind];
  return {
    at,
    kind,
    target: random.pick(shape.targets),
    forMs: random.int(...shape.forMs),
    how: random.pick(shape.ways ?? [""]),
    merchant: random.int(0, merchants - 1),
  };
}

/** Two faults of one process or server at once would undo each other; a restore starts and ends processes itself. */
export const contradicts = (one: Fault, other: Fault) =>
  one.target === other.target || one.kind === "restore" || other.kind === "restore";

function planBursts({ seed, seconds, burst }: { seed: number; seconds: number; burst: number }): Burst[] {
  const random = createRandom(seed, "bursts");
  const bursts: Burst[] = [];
  for (let at = random.int(8_000, 20_000); burst > 0 && at < seconds * 1_000; at += random.int(...BURST_EVERY_MS))
    bursts.push({ at, count: random.int(Math.ceil(burst / 2), burst) });
  return bursts;
}
