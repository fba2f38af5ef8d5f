import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { endChild, startChild, untilReady } from "@collect/servers";
import { displayPath } from "./settings.ts";

export type Running = { exited: Promise<void>; stop(): Promise<void> };
/** A component of the stack that runs as a process. `start` resolves once it is ready. */
export type Component = { name: string; logFile: string; start(): Promise<Running> };

/** The delay before each consecutive restart. A component that ran longer than STEADY_MS starts over with the first. */
const RESTART_DELAYS_MS = [200, 1_000, 2_000, 5_000, 10_000];
const STEADY_MS = 60_000;

/** Starts the component and restarts it when it exits. A failure of the first start is thrown, a later one is printed and retried. */
export async function supervise(component: Component): Promise<{ stop(): Promise<void> }> {
  const stopped = new AbortController();
  let running: Running | undefined = await component.start();

  async function watch(): Promise<void> {
    for (let failures = 0; ; ) {
      const upSince = Date.now();
      await running?.exited;
      if (stopped.signal.aborted) return;
      if (Date.now() - upSince > STEADY_MS) failures = 0;
      console.error(
        `✗ ${component.name} exited. The last lines of ${displayPath(component.logFile)}:\n${tailOf(component.logFile)}`,
      );
      const delayMs = RESTART_DELAYS_MS[failures++];
      if (delayMs === undefined)
        return console.error(`✗ ${component.name} exited too often and stays down until the next npm start`);
      await sleep(delayMs, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return;
      running = await component.start().catch(() => undefined);
      if (running) console.log(`✓ ${component.name} is running again`);
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopped.abort();
      await running?.stop();
      await watching;
      await running?.stop();
    },
  };
}

/** Starts a service as a process and waits until it logs "ready". */
export async function startService(options: {
  name: string;
  main: string;
  env: Record<string, string>;
  logFile: string;
}): Promise<Running> {
  const child = await startChild({
    command: process.execPath,
    args: [options.main],
    env: { ...process.env, ...options.env },
    logFile: options.logFile,
    stopSignal: "SIGTERM",
  });
  await untilReady(options.name, child, async () => child.output().includes('"event":"ready"'));
  return { exited: child.exited, stop: () => endChild(child, "SIGTERM", "SIGKILL") };
}

function tailOf(file: string): string {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .slice(-8)
    .map((line) => `    ${line.slice(0, 200)}`)
    .join("\n");
}
