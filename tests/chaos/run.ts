import { setTimeout as sleep } from "node:timers/promises";
import { redriveTransfers } from "@collect/contracts";
import { deliverNow } from "../stack/deliveries.ts";
import { gaps, timeToRecover, undelivered } from "./arrivals.ts";
import { INJECTIONS } from "./faults/index.ts";
import { INVARIANTS } from "./invariants/index.ts";
import { conflicts, type Fault, type FaultKind, planChaos } from "./schedule.ts";
import { createTimeline, nameOf } from "./timeline.ts";
import { openTraffic, type Traffic } from "./traffic/index.ts";
import { openWorld, type World } from "./world.ts";

export type ChaosOptions = {
  seed: number;
  seconds: number;
  kinds: readonly FaultKind[];
  /** Of each service. */
  replicas: number;
  /** Transfers per second, and the maximum number that a burst adds. */
  rate: number;
  burst: number;
  /** From the end of a fault to the beginning of the next, on average. */
  gapMs: number;
  /** Instead of gaps: from the beginning of a fault to the beginning of the next. */
  everyMs?: number | undefined;
  /** How long after the last fault every acknowledged transfer must be delivered without help. */
  settleWithinMs: number;
  say(line: string): void;
};
/** `recoveredMs` is undefined if an acknowledged transfer never arrived without help. */
export type Injected = { fault: Fault; beganMs: number; endedMs: number; recoveredMs: number | undefined };
export type Outcome = {
  injected: Injected[];
  violations: string[];
  figures: Record<string, number | string>;
  skipped: string[];
};

const MERCHANTS = 4;
const REDRIVE_TIMEOUT_MS = 60_000;
const PAYOUTS_TIMEOUT_MS = 90_000;

export async function runChaos(options: ChaosOptions): Promise<Outcome> {
  const { seed, seconds, say } = options;
  const timeline = createTimeline(say);
  const world = await openWorld({
    seed,
    merchants: MERCHANTS,
    replicas: options.replicas,
    withDisks: options.kinds.some((kind) => kind.startsWith("full-disk")),
    timeline,
  });
  try {
    const kinds = options.kinds.filter((kind) => world.disks || !kind.startsWith("full-disk"));
    const skipped = options.kinds
      .filter((kind) => !kinds.includes(kind))
      .map((kind) => `${kind}: mounting is not permitted`);
    const { faults, bursts } = planChaos({ ...options, kinds, merchants: MERCHANTS });
    const traffic = await openTraffic(world, options);
    timeline.begin();
    const [ended] = await Promise.all([injectAll(world, faults), traffic.flow(seconds, bursts)]);
    timeline.note("traffic and faults have ended");
    const unfinished = await untilSettled(world, traffic, options.settleWithinMs);
    const injected = ended.map(({ endedAt, ...each }) => ({
      ...each,
      recoveredMs: timeToRecover(world.observations, endedAt),
    }));
    if (unfinished.length > 0) await redriveAll(world, traffic);
    traffic.abandon();
    const violations = [...unfinished, ...(await checkInvariants(world))];
    return { injected, violations, figures: figuresOf(world), skipped };
  } finally {
    await world.close();
  }
}

type Ended = Omit<Injected, "recoveredMs"> & { endedAt: number };

/** Injects faults as scheduled; a fault that would undo another one waits for its end. */
async function injectAll(world: World, faults: readonly Fault[]): Promise<Ended[]> {
  const injecting: Promise<Ended>[] = [];
  for (const fault of faults) {
    const before = injecting.filter((_, at) => conflicts(faults[at] ?? fault, fault));
    injecting.push(inject(world, fault, before));
  }
  return Promise.all(injecting);
}

async function inject(world: World, fault: Fault, before: readonly Promise<unknown>[]): Promise<Ended> {
  const { timeline } = world;
  await sleep(Math.max(0, fault.at - timeline.now()));
  await Promise.all(before);
  const beganMs = timeline.now();
  timeline.note(`${nameOf(fault)}, for ${(fault.forMs / 1_000).toFixed(1)} s`);
  try {
    const end = await INJECTIONS[fault.kind](world, fault);
    await sleep(Math.max(0, beganMs + fault.forMs - timeline.now()));
    await end();
  } catch (error) {
    // A target that another fault has taken down cannot fail again.
    timeline.note(`${nameOf(fault)} failed: ${error}`);
  }
  timeline.note(`${nameOf(fault)} is over`);
  return { fault, beganMs, endedMs: timeline.now(), endedAt: Date.now() };
}

/** Waits until every acknowledged transfer is delivered without gaps. Returns what is missing at the timeout. */
async function untilSettled(
  { observations, receiver, timeline }: World,
  traffic: Traffic,
  withinMs: number,
): Promise<string[]> {
  receiver.recover();
  const unfinished = () => {
    const lost = undelivered(observations).length;
    const missing = gaps(observations.delivered).flatMap((each) => each.missing).length;
    return [
      ...(traffic.inProgress() > 0 ? [`${traffic.inProgress()} reports or orders have no response`] : []),
      ...(lost > 0 ? [`${lost} acknowledged transfers are not delivered`] : []),
      ...(missing > 0 ? [`${missing} sequence numbers are missing`] : []),
    ];
  };
  const began = performance.now();
  while (unfinished().length > 0 && performance.now() - began < withinMs) await sleep(500);
  const remaining = unfinished();
  for (const each of remaining) timeline.note(each);
  if (remaining.length === 0) timeline.note("every acknowledged transfer is delivered");
  return remaining.map((each) => `${each} ${withinMs / 1_000} s after the last fault`);
}

/** Runs an operator's redrive, to distinguish stuck transfers from lost ones. */
async function redriveAll({ stack, observations, timeline }: World, traffic: Traffic): Promise<void> {
  const first = observations.reported[0]?.firstSentAt ?? Date.now();
  const range = { from: new Date(first - 1_000).toISOString(), to: new Date(Date.now() + 60_000).toISOString() };
  await stack.bus.request(redriveTransfers, range).catch((error) => timeline.note(`no redrive: ${error}`));
  const began = performance.now();
  while (
    performance.now() - began < REDRIVE_TIMEOUT_MS &&
    undelivered(observations).length + traffic.inProgress() > 0
  ) {
    await deliverNow(stack).catch(() => {});
    await sleep(2_000);
  }
  timeline.note(`after a redrive ${undelivered(observations).length} acknowledged transfers are still not delivered`);
}

async function checkInvariants(world: World): Promise<string[]> {
  await untilPayoutsEnd(world);
  const violations: string[] = [];
  for (const [name, invariant] of Object.entries(INVARIANTS)) {
    const found = await invariant(world).catch((error) => [`the check failed: ${error}`]);
    violations.push(...found.map((violation) => `${name}: ${violation}`));
  }
  return violations;
}

async function untilPayoutsEnd({ stack }: World): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < PAYOUTS_TIMEOUT_MS) {
    const { rows } = await stack
      .database("payments")
      .query("select 1 from transfers where step not in ('told', 'refused') limit 1");
    if (rows.length === 0) return;
    await sleep(500);
  }
}

function figuresOf({ observations, members }: World): Outcome["figures"] {
  const acknowledged = observations.reported.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined);
  const services = Map.groupBy(members.all, ({ name }) => name.split(".")[0]);
  const peaks = [...services].map(
    ([name, all]) => `${name} ${Math.round(Math.max(...all.map((each) => each.highWaterMb())))}`,
  );
  const together = members.all.reduce((sum, each) => sum + each.highWaterMb(), 0);
  return {
    "transfers acknowledged": acknowledged.length,
    "deliveries received": observations.delivered.length,
    sessions: observations.sessions.length,
    payouts: observations.payouts.filter(({ reference }) => reference !== undefined).length,
    "test payments": observations.simulated.filter(({ reference }) => reference !== undefined).length,
    "peak memory in MB": `${peaks.join(", ")}; of all together ${Math.round(together)}`,
  };
}
