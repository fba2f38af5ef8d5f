import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessName, Replica, Stack } from "../stack.ts";
import type { Timeline } from "./timeline.ts";

/** One process of the product, kept running as an orchestrator does: what ends by itself is started again. */
export type Member = {
  name: string;
  url: string;
  /** At once, and not started again until `start`. */
  kill(): Promise<void>;
  /** Tries until it is up; `env` is for this start only. */
  start(env?: Record<string, string>): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** The most memory that it or its predecessors held at any time once they had started, in megabytes. */
  highWaterMb(): number;
};
export type Members = {
  all: Member[];
  of(name: string): Member;
  /** From now on nothing is started again. */
  dismiss(): void;
};

const RESTARTED_AFTER_MS = 500;
const SAMPLED_EVERY_MS = 1_000;

type Plan = { service: ProcessName; replicas: Env[] };
type Env = Record<string, string>;

/** `envOf` is what each replica needs on every start. The first replica of each service is running already. */
export async function openMembers(stack: Stack, timeline: Timeline, plans: Plan[]): Promise<Members> {
  const stopping = new AbortController();
  const all: Member[] = [];
  await Promise.all(
    plans.map(async ({ service, replicas }) => {
      for (const [index, env] of replicas.entries()) {
        const replica = index === 0 ? stack.service(service) : await stack.service(service).addReplica({ env });
        all.push(supervise({ name: `${service}.${index}`, replica, env, timeline, stopping: stopping.signal }));
      }
    }),
  );
  return {
    all,
    of(name) {
      const member = all.find((each) => each.name === name);
      if (!member) throw new Error(`there is no ${name}`);
      return member;
    },
    dismiss: () => stopping.abort(),
  };
}

type Supervised = { name: string; replica: Replica; env: Env; timeline: Timeline; stopping: AbortSignal };

function supervise({ name, replica, env, timeline, stopping }: Supervised): Member {
  let isWanted = true;
  let starting: Promise<void> | undefined;
  let highWater = 0;

  async function startUntilUp(more: Env): Promise<void> {
    for (let tries = 0; isWanted && !stopping.aborted; tries++) {
      try {
        await replica.restart({ env: { ...env, ...more } });
        forgetHighWater(replica.pid());
        if (tries > 0) timeline.note(`${name} is up, at attempt ${tries + 1}`);
        return;
      } catch {
        await sleep(RESTARTED_AFTER_MS);
      }
    }
  }
  function start(more: Env = {}): Promise<void> {
    isWanted = true;
    const previous = starting ?? Promise.resolve();
    const mine = previous.then(() => startUntilUp(more));
    starting = mine.finally(() => {
      if (starting === mine) starting = undefined;
    });
    return mine;
  }
  async function keepUp(): Promise<void> {
    while (!stopping.aborted) {
      await sleep(SAMPLED_EVERY_MS);
      highWater = Math.max(highWater, highWaterOf(replica.pid()));
      if (!isWanted || starting || stopping.aborted || isAlive(replica.pid())) continue;
      timeline.note(`${name} had ended by itself and is started again`);
      await start();
    }
  }
  forgetHighWater(replica.pid());
  void keepUp();

  return {
    name,
    url: replica.url,
    async kill() {
      isWanted = false;
      await starting;
      highWater = Math.max(highWater, highWaterOf(replica.pid()));
      await replica.kill9();
    },
    start,
    signal: (signal) => {
      if (isAlive(replica.pid())) process.kill(replica.pid(), signal);
    },
    highWaterMb: () => Math.max(highWater, highWaterOf(replica.pid())),
  };
}

function isAlive(pid: number): boolean {
  const stat = read(pid, "stat");
  return stat !== "" && !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

/** The kernel keeps the highest resident set of a process. */
function highWaterOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(read(pid, "status")) ?? [];
  return Number(kilobytes ?? 0) / 1_024;
}

/** What loading its code took is no measure of what a process needs for its work. */
function forgetHighWater(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // It has ended meanwhile.
  }
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
