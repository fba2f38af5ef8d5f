import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "@collect/contracts";
import { type Child, endChild, startChild, untilReady } from "@collect/servers";

export const ROOT = join(import.meta.dirname, "../..");
/** Compiled once for all stacks of all files. */
const COMPILE_CACHE = join(ROOT, ".cache/compile-cache");

export type ProcessName = ServiceName | "bank-simulator";
type Env = Record<string, string>;

/** One of the processes of the product, at an address that outlives it. */
export type Replica = {
  /** Where its HTTP server listens, if it has one. */
  url: string;
  /** Resolves once the running process is gone, whoever ended it. */
  exited(): Promise<void>;
  /** Immediately, as in a power failure. */
  kill9(): Promise<void>;
  /** Ends what runs in good order and starts it again; `env` is on top of what it had first. */
  restart(options?: { env?: Env }): Promise<void>;
  logs(): string;
  /** Of the process that runs now, or ran last. */
  pid(): number;
};

export type Service = Replica & {
  /** The first one is the service itself. */
  replicas: Replica[];
  /** One more process of the same service beside the others, on an address of its own. */
  addReplica(options?: { env?: Env }): Promise<Replica>;
};

/** How a process is started: the environment may depend on the port that was found for it. */
export type Plan = {
  name: ProcessName;
  folder: string;
  env: Env;
  port?: { variable: string; find: () => Promise<number> };
};

export async function startService(plan: Plan, options: { directory: string; env?: Env }): Promise<Service> {
  const replicas: Replica[] = [];
  const add = async (env: Env, port?: number) => {
    const logFile = join(options.directory, `${plan.name}-${replicas.length}.log`);
    const replica = await startReplica(plan, { logFile, env: { ...options.env, ...env }, port });
    replicas.push(replica);
    return replica;
  };
  const own = plan.port && Number(plan.env[plan.port.variable]);
  const first = await add({}, own);
  return {
    ...first,
    replicas,
    addReplica: async ({ env = {} } = {}) => add(env, await plan.port?.find()),
  };
}

async function startReplica(
  plan: Plan,
  options: { logFile: string; env: Env; port: number | undefined },
): Promise<Replica> {
  const own = { ...plan.env, ...options.env };
  if (plan.port && options.port) own[plan.port.variable] = String(options.port);
  const start = async (env: Env): Promise<Child> => {
    const child = await startChild({
      command: process.execPath,
      args: [join(ROOT, plan.folder, "src/main.ts")],
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...own, ...env },
      logFile: options.logFile,
      stopSignal: "SIGKILL",
    });
    await untilReady(plan.name, child, async () => child.output().includes('"event":"ready"'));
    return child;
  };
  let child = await start({});
  return {
    url: options.port ? `http://127.0.0.1:${options.port}` : "",
    exited: () => child.exited,
    kill9: () => endChild(child, "SIGKILL", "SIGKILL"),
    async restart({ env = {} } = {}) {
      await endChild(child, "SIGTERM", "SIGKILL");
      child = await start(env);
    },
    logs: () => readFileSync(options.logFile, "utf8"),
    pid: () => child.pid,
  };
}
