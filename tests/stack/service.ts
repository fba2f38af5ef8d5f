import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "@collect/contracts";
import { type Child, COMPILE_CACHE, endChild, startChild, untilReady } from "@collect/servers";

export const ROOT = join(import.meta.dirname, "../..");
const KEEP_COMPILED = join(import.meta.dirname, "keep-compiled.ts");

export type ProcessName = ServiceName | "bank-simulator";
type Env = Record<string, string>;

/** A process of the product, at an address that stays the same across restarts. */
export type Replica = {
  /** The URL of its HTTP server, if it has one. */
  url: string;
  /** Resolves once the running process has exited for any reason. */
  exited(): Promise<void>;
  /** Immediately, as in a power failure. */
  kill9(): Promise<void>;
  /** Stops it gracefully and starts it again; `env` is merged over its initial environment. */
  restart(options?: { env?: Env; tree?: string }): Promise<void>;
  logs(): string;
  /** The pid of the current or last process. */
  pid(): number;
};

export type Service = Replica & {
  /** The first replica is the service itself. */
  replicas: Replica[];
  /** Starts another process of the same service, on its own address. */
  addReplica(options?: { env?: Env }): Promise<Replica>;
};

/** How to start a process: the environment may depend on its port. */
export type Plan = {
  name: ProcessName;
  /** The checkout that it runs from, unless it is restarted from another one. */
  tree: string;
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
  const start = async (env: Env, tree = plan.tree): Promise<Child> => {
    const child = await startChild({
      command: process.execPath,
      args: ["--import", KEEP_COMPILED, join(tree, plan.folder, "src/main.ts")],
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
    async restart({ env = {}, tree } = {}) {
      await endChild(child, "SIGTERM", "SIGKILL");
      child = await start(env, tree);
    },
    logs: () => readFileSync(options.logFile, "utf8"),
    pid: () => child.pid,
  };
}
