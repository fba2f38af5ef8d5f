import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { endChild, startChild, untilReady } from "@collect/servers";
import { shown } from "./settings.ts";

export type Running = { exited: Promise<void>; stop(): Promise<void> };
/** Something of the stack with a process of its own. `start` resolves once it is up. */
export type Part = { name: string; logFile: string; start(): Promise<Running> };

/** Before each restart in a row. Who stayed up longer than STEADY_MS begins again with the first. */
const RESTART_WAITS_MS = [200, 1_000, 2_000, 5_000, 10_000];
const STEADY_MS = 60_000;

/** Starts the part, and again when it dies: a failure at the first start is the caller's, a later one is told and tried again. */
export async function supervise(part: Part): Promise<{ stop(): Promise<void> }> {
  const stopped = new AbortController();
  let running: Running | undefined = await part.start();

  async function watch(): Promise<void> {
    for (let failures = 0; ; ) {
      const upSince = Date.now();
      await running?.exited;
      if (stopped.signal.aborted) return;
      if (Date.now() - upSince > STEADY_MS) failures = 0;
      console.error(`✗ ${part.name} has ended. The end of ${shown(part.logFile)}:\n${tailOf(part.logFile)}`);
      const waitMs = RESTART_WAITS_MS[failures++];
      if (waitMs === undefined)
        return console.error(`✗ ${part.name} ended too often and stays down until the next npm start`);
      await sleep(waitMs, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return;
      running = await part.start().catch(() => undefined);
      if (running) console.log(`✓ ${part.name} is up again`);
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

/** One of our services: a process of its own that says "ready" in its log. */
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
