import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVICES } from "@collect/contracts";
import { freePort } from "@collect/servers";
import { descendants, proportionalMegabytes } from "./processes.ts";

const START = join(import.meta.dirname, "../../infra/local/src/start.ts");
const READY_WITHIN_MS = 60_000;
/** By then the memory used during startup has been released. */
const IDLE_AFTER_MS = 10_000;

/** Megabytes (proportional set size) of the idle local stack, by process: everything that `npm start` runs, including its supervisor. */
export async function measureMemory(): Promise<Record<string, number>> {
  const directory = await mkdtemp(join(tmpdir(), "collect-bench-memory-"));
  const env: NodeJS.ProcessEnv = { ...process.env, LOCAL_DIRECTORY: directory };
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
  const local = fork(START, {
    execArgv: ["--max-semi-space-size=1"],
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
  while (!existsSync(demoFile)) {
    if (local.exitCode !== null || Date.now() > deadline) throw new Error("the local stack did not start");
    await sleep(100);
  }
}
