import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessName, Replica, Stack } from "../stack.ts";
import type { Timeline } from "./timeline.ts";

/** One process of the product, supervised as by an orchestrator: if it exits, it is restarted. */
export type Member = {
  name: string;
  url: string;
  /** Kills it immediately; it is not restarted until `start`. */
  kill(): Promise<void>;
  /** Retries until it is up; `env` applies to this start only. */
  start(env?: Record<string, string>): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** The peak memory of it and its predecessors after their start, in megabytes. */
  highWaterMb(): number;
};
export type Members = {
  all: Member[];
  of(name: string): Member;
  /** Stops restarting processes. */
  stopSupervising(): void;
};

const RESTART_DELAY_MS = 500;
const SAMPLE_INTERVAL_MS = 1_000;

type Plan = { service: ProcessName; replicas: Env[] };
type Env = Record<string, string>;

/** `replicas` is the environment of each replica. The first replica of each service is already running. */
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
    stopSupervising: () => stopping.abort(),
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
        resetHighWater(replica.pid());
        if (tries > 0) timeline.note(`${name} is up, at attempt ${tries + 1}`);
        return;
      } catch {
        await sleep(RESTART_DELAY_MS);
      }
    }
  }
  function start(more: Env = {}): Promise<void> {
    isWanted = true;
    const previous = starting ?? Promise.resolve();
    const started = previous.then(() => startUntilUp(more));
    starting = started.finally(() => {
      if (starting === started) starting = undefined;
    });
    return started;
  }
  async function superviseLoop(): Promise<void> {
    while (!stopping.aborted) {
      await sleep(SAMPLE_INTERVAL_MS);
      highWater = Math.max(highWater, highWaterOf(replica.pid()));
      if (!isWanted || starting || stopping.aborted || isAlive(replica.pid())) continue;
      timeline.note(`${name} exited and is restarted`);
      await start();
    }
  }
  resetHighWater(replica.pid());
  void superviseLoop();

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

/** The kernel records a process's peak resident set. */
function highWaterOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(read(pid, "status")) ?? [];
  return Number(kilobytes ?? 0) / 1_024;
}

/** Excludes the memory for loading the code from the peak. */
function resetHighWater(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // The process has exited.
  }
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
