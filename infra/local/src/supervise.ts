import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { endChild, startChild, untilReady } from "@collect/servers";
import { displayPath } from "./settings.ts";

export type Running = { exited: Promise<void>; stop(): Promise<void>; liveness?: Liveness };
/** Whether it still answers; `kill` ends it at once, even if it is stopped. */
export type Liveness = { answers(withinMs: number): Promise<boolean>; kill(): void };
/** A component of the stack that runs as a process. `start` resolves once it is ready. */
export type Component = { name: string; logFile: string; start(): Promise<Running> };

/** The delay before each consecutive restart. A component that ran longer than STEADY_MS starts over with the first. */
const RESTART_DELAYS_MS = [200, 1_000, 2_000, 5_000, 10_000];
const STEADY_MS = 60_000;

/**
 * A process that has not answered six times in a row, for half a minute together, hangs. A busy machine has pauses of some seconds; one
 * that was suspended, with this process, has missed a single answer.
 */
const PATIENCE = { everyMs: 5_000, times: 6 };

/**
 * Starts the component, and restarts it when it exits or, if it has a liveness, hangs. A failure of the first start is thrown, a later
 * one is printed and retried.
 */
export async function supervise(component: Component, patience = PATIENCE): Promise<{ stop(): Promise<void> }> {
  const stopped = new AbortController();
  let running: Running | undefined = await component.start();

  async function watch(): Promise<void> {
    for (let failures = 0; ; ) {
      const upSince = Date.now();
      if (running) await untilOver(component.name, running, patience);
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

/** Resolves once it has exited. One that hangs is killed. */
async function untilOver(name: string, { exited, liveness }: Running, { everyMs, times }: typeof PATIENCE) {
  if (!liveness) return exited;
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  for (let missed = 0; missed < times && !isOver; ) {
    const pause = sleep(everyMs, undefined, { ref: false });
    const answered = await Promise.race([liveness.answers(everyMs), exited.then(() => true)]);
    missed = answered ? 0 : missed + 1;
    await Promise.race([pause, exited]);
  }
  if (!isOver) {
    console.error(`✗ ${name} has not answered for ${(everyMs * times) / 1_000} s and is killed`);
    liveness.kill();
  }
  return exited;
}

/** Starts a service as a process and waits until it logs "ready". With the URL of its liveness it is alive while that answers 200. */
export async function startService(options: {
  name: string;
  main: string;
  /** Of Node. */
  flags?: string[];
  env: Record<string, string>;
  logFile: string;
  livez?: string | undefined;
}): Promise<Running> {
  const child = await startChild({
    command: process.execPath,
    args: [...(options.flags ?? []), options.main],
    env: { ...process.env, ...options.env },
    logFile: options.logFile,
    stopSignal: "SIGTERM",
  });
  await untilReady(options.name, child, async () => child.output().includes('"event":"ready"'));
  const { livez } = options;
  return {
    exited: child.exited,
    stop: () => endChild(child, "SIGTERM", "SIGKILL"),
    ...(livez !== undefined && {
      liveness: {
        answers: (withinMs: number) =>
          fetch(livez, { signal: AbortSignal.timeout(withinMs) }).then(
            ({ ok }) => ok,
            () => false,
          ),
        kill: () => child.signal("SIGKILL"),
      },
    }),
  };
}

function tailOf(file: string): string {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .slice(-8)
    .map((line) => `    ${line.slice(0, 200)}`)
    .join("\n");
}
