import { setTimeout as sleep } from "node:timers/promises";
import { redriveTransfers } from "@collect/contracts";
import { deliverNow } from "../stack/deliveries.ts";
import { gaps, timeToRecover, undelivered } from "./arrivals.ts";
import { INJECTIONS } from "./faults/index.ts";
import { INVARIANTS } from "./invariants/index.ts";
import { contradicts, type Fault, type FaultKind, planChaos } from "./schedule.ts";
import { createTimeline, nameOf } from "./timeline.ts";
import { openTraffic, type Traffic } from "./traffic/index.ts";
import { openWorld, type World } from "./world.ts";

export type ChaosOptions = {
  seed: number;
  seconds: number;
  kinds: readonly FaultKind[];
  /** Transfers a second, and the most of them that a burst adds. */
  rate: number;
  burst: number;
  /** From the end of a fault to the beginning of the next, on average. */
  gapMs: number;
  /** What was answered must be delivered this long after the last fault, by itself. */
  settleWithinMs: number;
  say(line: string): void;
};
/** `recoveredMs` is undefined where something that had been answered never arrived without help. */
export type Injected = { fault: Fault; beganMs: number; endedMs: number; recoveredMs: number | undefined };
export type Outcome = {
  injected: Injected[];
  violations: string[];
  figures: Record<string, number | string>;
  leftOut: string[];
};

const MERCHANTS = 4;
const HELPED_WITHIN_MS = 60_000;
const ENDED_WITHIN_MS = 90_000;

export async function runChaos(options: ChaosOptions): Promise<Outcome> {
  const { seed, seconds, say } = options;
  const timeline = createTimeline(say);
  const world = await openWorld({
    seed,
    merchants: MERCHANTS,
    withDisks: options.kinds.some((kind) => kind.startsWith("full-disk")),
    timeline,
  });
  try {
    const kinds = options.kinds.filter((kind) => world.disks || !kind.startsWith("full-disk"));
    const leftOut = options.kinds
      .filter((kind) => !kinds.includes(kind))
      .map((kind) => `${kind}: nothing may be mounted`);
    const { faults, bursts } = planChaos({ ...options, kinds, merchants: MERCHANTS });
    const traffic = await openTraffic(world, options);
    timeline.begin();
    const [ended] = await Promise.all([injectAll(world, faults), traffic.flow(seconds, bursts)]);
    timeline.note("the traffic is over, and every fault");
    const unfinished = await untilSettled(world, traffic, options.settleWithinMs);
    const injected = ended.map(({ endedAt, ...each }) => ({
      ...each,
      recoveredMs: timeToRecover(world.books, endedAt),
    }));
    if (unfinished.length > 0) await help(world, traffic);
    traffic.abandon();
    const violations = [...unfinished, ...(await judge(world))];
    return { injected, violations, figures: figuresOf(world), leftOut };
  } finally {
    await world.close();
  }
}

type Ended = Omit<Injected, "recoveredMs"> & { endedAt: number };

/** As scheduled; but what would undo a fault that has not ended yet waits for its end. */
async function injectAll(world: World, faults: readonly Fault[]): Promise<Ended[]> {
  const injecting: Promise<Ended>[] = [];
  for (const fault of faults) {
    const before = injecting.filter((_, at) => contradicts(faults[at] ?? fault, fault));
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
    // What another fault took away cannot be broken.
    timeline.note(`${nameOf(fault)} failed: ${error}`);
  }
  timeline.note(`${nameOf(fault)} is over`);
  return { fault, beganMs, endedMs: timeline.now(), endedAt: Date.now() };
}

/** Waits until everything that was answered has arrived, without a gap. Answers with what has not, if it takes too long. */
async function untilSettled(
  { books, receiver, timeline }: World,
  traffic: Traffic,
  withinMs: number,
): Promise<string[]> {
  receiver.recover();
  const unfinished = () => {
    const lost = undelivered(books).length;
    const missing = gaps(books.delivered).flatMap((each) => each.missing).length;
    return [
      ...(traffic.underWay() > 0 ? [`${traffic.underWay()} reports or orders are not answered`] : []),
      ...(lost > 0 ? [`${lost} answered transfers are not delivered`] : []),
      ...(missing > 0 ? [`${missing} sequence numbers are missing`] : []),
    ];
  };
  const began = performance.now();
  while (unfinished().length > 0 && performance.now() - began < withinMs) await sleep(500);
  const left = unfinished();
  for (const each of left) timeline.note(each);
  if (left.length === 0) timeline.note("everything that was answered is delivered");
  return left.map((each) => `${each} ${withinMs / 1_000} s after the last fault`);
}

/** What an operator can do, to tell what is stuck from what is lost. */
async function help({ stack, books, timeline }: World, traffic: Traffic): Promise<void> {
  const first = books.reported[0]?.firstSentAt ?? Date.now();
  const range = { from: new Date(first - 1_000).toISOString(), to: new Date(Date.now() + 60_000).toISOString() };
  await stack.bus.request(redriveTransfers, range).catch((error) => timeline.note(`no redrive: ${error}`));
  const began = performance.now();
  while (performance.now() - began < HELPED_WITHIN_MS && undelivered(books).length + traffic.underWay() > 0) {
    await deliverNow(stack).catch(() => {});
    await sleep(2_000);
  }
  timeline.note(`with an operator's help ${undelivered(books).length} answered transfers are still not delivered`);
}

async function judge(world: World): Promise<string[]> {
  await untilPayoutsEnd(world);
  const violations: string[] = [];
  for (const [name, invariant] of Object.entries(INVARIANTS)) {
    const found = await invariant(world).catch((error) => [`it could not be checked: ${error}`]);
    violations.push(...found.map((violation) => `${name}: ${violation}`));
  }
  return violations;
}

async function untilPayoutsEnd({ stack }: World): Promise<void> {
  const began = performance.now();
  while (performance.now() - began < ENDED_WITHIN_MS) {
    const { rows } = await stack
      .database("payments")
      .query("select 1 from transfers where step not in ('told', 'refused') limit 1");
    if (rows.length === 0) return;
    await sleep(500);
  }
}

function figuresOf({ books, members }: World): Outcome["figures"] {
  const answered = books.reported.filter(({ answeredAt }) => answeredAt !== undefined);
  const services = Map.groupBy(members.all, ({ name }) => name.split(".")[0]);
  const most = [...services].map(
    ([name, all]) => `${name} ${Math.round(Math.max(...all.map((each) => each.highWaterMb())))}`,
  );
  return {
    "transfers answered": answered.length,
    "deliveries received": books.delivered.length,
    sessions: books.sessions.length,
    payouts: books.payouts.filter(({ reference }) => reference !== undefined).length,
    "test payments answered": books.simulated.filter(({ reference }) => reference !== undefined).length,
    "most memory in MB": most.join(", "),
  };
}
