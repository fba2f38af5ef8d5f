import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVICES } from "@collect/contracts";
import { freePort } from "@collect/servers";
import { descendants, proportionalMegabytes } from "./processes.ts";

const LOCAL = join(import.meta.dirname, "../../infra/local");
const READY_WITHIN_MS = 180_000;
/** By then the memory used during startup has been released. */
const IDLE_AFTER_MS = 10_000;

/** How `infra/local/bootstrap.mjs` starts it. */
type Small = { flags: string[]; malloc: Record<string, string> };

/** Megabytes (proportional set size) of the idle local stack, by process: everything that `npm start` runs, including its supervisor. */
export async function measureMemory(): Promise<Record<string, number>> {
  const directory = await mkdtemp(join(tmpdir(), "collect-bench-memory-"));
  const { flags, malloc }: Small = JSON.parse(await readFile(join(LOCAL, "small.json"), "utf8"));
  const env: NodeJS.ProcessEnv = { ...process.env, ...malloc, LOCAL_DIRECTORY: directory };
  for (const name of [
    "GATEWAY",
    "CHECKOUT",
    "DASHBOARD",
    "OPERATORS",
    "BANK_DOOR",
    "BANK_SIMULATOR",
    "RECEIVER",
    "MAILBOX",
    "MAILBOX_SMTP",
    "POSTGRES",
    "NATS",
  ])
    env[`${name}_PORT`] = String(await freePort());
  // One a process: the services, the operators' pages and the bank simulator.
  env.INTERNAL_PORTS = String(await freePort(SERVICES.length + 2));
  for (const name of ["DATABASE_URL", "NATS_URL"]) delete env[name];
  const local = fork(join(LOCAL, "src/start.ts"), {
    execArgv: flags,
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    await untilUp(local, join(directory, "demo.json"));
    await sleep(IDLE_AFTER_MS);
    const { pid = 0 } = local;
    const megabytes = proportionalMegabytes([{ pid, name: "local" }, ...descendants(pid)]);
    return Object.fromEntries([...megabytes].sort(([, a], [, b]) => b - a));
  } finally {
    if (local.exitCode === null) {
      local.kill("SIGTERM");
      await once(local, "exit");
    }
    await rm(directory, { recursive: true, force: true });
  }
}

async function untilUp(local: ChildProcess, demoFile: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isWhole(demoFile))) {
    if (local.exitCode !== null || Date.now() > deadline) throw new Error("the local stack did not start");
    await sleep(100);
  }
}

/** The file is there before the history is, which is the last that a start does. */
async function isWhole(demoFile: string): Promise<boolean> {
  const text = await readFile(demoFile, "utf8").catch(() => undefined);
  return text !== undefined && JSON.parse(text).history.is_whole;
}
