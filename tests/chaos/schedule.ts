import { createRandom, type Random } from "./random.ts";

/** The faults and bursts of a run and their times, determined by the seed before anything starts. */

export const ON_THE_PATH = ["accounts", "ledger", "payments", "webhooks"] as const;
const SERVICES = ["gateway", ...ON_THE_PATH, "checkout", "dashboard"] as const;

/**
 * A fault is of one of the targets, or of one replica of these services. `forMs`: minimum and maximum duration; [0, 0] for a
 * fault without a duration.
 */
type Shape = ({ targets: readonly string[] } | { replicasOf: readonly string[] }) & {
  forMs: readonly [number, number];
  variants?: readonly string[];
};

const CONNECTIONS = ["one", "all"] as const;

export const FAULTS = {
  /** A replica is killed, and restarted at the end. */
  kill: { replicasOf: SERVICES, forMs: [0, 8_000] },
  /** SIGSTOP, then SIGCONT. */
  stop: { replicasOf: ON_THE_PATH, forMs: [3_000, 12_000] },
  /** A replica runs with a wrong clock; PostgreSQL's clock is right. */
  clock: { replicasOf: ON_THE_PATH, forMs: [8_000, 20_000], variants: ["3600000", "-3600000"] },
  "broker-kill": { targets: ["nats"], forMs: [0, 0] },
  "broker-stop": { targets: ["nats"], forMs: [3_000, 10_000] },
  /** Killed, its store deleted, restarted. */
  "broker-wipe": { targets: ["nats"], forMs: [0, 0] },
  "database-kill": { targets: ["postgres"], forMs: [0, 5_000] },
  /** Connections that stay open and transmit nothing until the end of the fault. */
  "silent-database": { replicasOf: ON_THE_PATH, forMs: [8_000, 25_000], variants: CONNECTIONS },
  "silent-broker": { replicasOf: ON_THE_PATH, forMs: [8_000, 25_000], variants: CONNECTIONS },
  /** The server's end is closed, and the service's end is never notified. */
  "half-open-database": { replicasOf: ON_THE_PATH, forMs: [0, 0], variants: CONNECTIONS },
  "half-open-broker": { replicasOf: ON_THE_PATH, forMs: [0, 0], variants: CONNECTIONS },
  /** A lock on rows of one merchant. */
  lock: {
    targets: ["ledger_account", "webhook_counter", "payment_session", "inbound_transfers"],
    forMs: [5_000, 20_000],
  },
  /** Every stream refuses messages. */
  "full-streams": { targets: ["nats"], forMs: [3_000, 10_000] },
  "full-disk-database": { targets: ["postgres"], forMs: [3_000, 8_000] },
  "full-disk-broker": { targets: ["nats"], forMs: [3_000, 8_000] },
  /** The database is restored to the beginning of the fault. */
  restore: { targets: ON_THE_PATH, forMs: [5_000, 15_000] },
} as const satisfies Record<string, Shape>;

export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];
/** Restores may need an operator, so they are injected only if a run names them. */
export const DEFAULT_KINDS = FAULT_KINDS.filter((kind) => kind !== "restore");

/**
 * `at` in milliseconds since the start of the traffic; `how` is one of the kind's variants; `merchant` is the owner of
 * locked rows.
 */
export type Fault = {
  at: number;
  forMs: number;
  kind: FaultKind;
  target: string;
  variant: string;
  merchant: number;
};
/** Concurrent transfers beyond the capacity of the path. */
export type Burst = { at: number; count: number };
export type Schedule = { faults: Fault[]; bursts: Burst[] };

const FIRST_AT_MS = 3_000;
/** The share of faults that begin while the previous one is active. */
const OVERLAP_SHARE = 0.25;
/** The time that ending a fault takes. */
const END_MARGIN_MS = 2_000;
const BURST_INTERVAL_MS = [20_000, 45_000] as const;

export function planChaos(options: {
  seed: number;
  seconds: number;
  kinds: readonly FaultKind[];
  merchants: number;
  replicas: number;
  burst: number;
  /** From the end of a fault to the beginning of the next, on average. */
  gapMs: number;
  /** Instead of gaps: from the beginning of a fault to the beginning of the next. */
  everyMs?: number | undefined;
}): Schedule {
  const endMs = options.seconds * 1_000;
  const random = createRandom(options.seed, "faults");
  const faults: Fault[] = [];
  let at = FIRST_AT_MS;
  while (options.kinds.length > 0 && at < endMs) {
    // Each kind once before any is repeated.
    for (const kind of random.shuffle(options.kinds)) {
      const fault = aFault(random, { ...options, kind, at });
      for (const other of faults)
        if (conflicts(other, fault)) fault.at = Math.max(fault.at, other.at + other.forMs + END_MARGIN_MS);
      if (fault.at + fault.forMs > endMs) return { faults, bursts: planBursts(options) };
      faults.push(fault);
      const overlaps = random.chance(OVERLAP_SHARE);
      const gap = random.int(options.gapMs / 2, options.gapMs * 1.5);
      at = fault.at + (options.everyMs ?? (overlaps ? Math.floor(fault.forMs / 2) : fault.forMs + gap));
    }
  }
  return { faults, bursts: planBursts(options) };
}

type Given = { kind: FaultKind; at: number; merchants: number; replicas: number };

function aFault(random: Random, { kind, at, merchants, replicas }: Given): Fault {
  const shape: Shape = FAULTS[kind];
  return {
    at,
    kind,
    target: random.pick(targetsOf(kind, replicas)),
    forMs: random.int(...shape.forMs),
    variant: random.pick(shape.variants ?? [""]),
    merchant: random.int(0, merchants - 1),
  };
}

export function targetsOf(kind: FaultKind, replicas: number): readonly string[] {
  const shape: Shape = FAULTS[kind];
  if ("targets" in shape) return shape.targets;
  return shape.replicasOf.flatMap((service) => Array.from({ length: replicas }, (_, index) => `${service}.${index}`));
}

/** Concurrent faults of one target would undo each other; a restore stops and starts processes itself. */
export const conflicts = (one: Fault, other: Fault) =>
  one.target === other.target || one.kind === "restore" || other.kind === "restore";

function planBursts({ seed, seconds, burst }: { seed: number; seconds: number; burst: number }): Burst[] {
  const random = createRandom(seed, "bursts");
  const bursts: Burst[] = [];
  for (let at = random.int(8_000, 20_000); burst > 0 && at < seconds * 1_000; at += random.int(...BURST_INTERVAL_MS))
    bursts.push({ at, count: random.int(Math.ceil(burst / 2), burst) });
  return bursts;
}
