import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./log.ts";
import { watchProgress } from "./progress.ts";
import type { Component } from "./run.ts";

/** A tick may have much to do after an outage. One that does many things in a row reports each by `stepped`. */
const STUCK_AFTER_MS = 900_000;

/** Does its work again and again until it is stopped, with a pause in between. What fails is tried again after the pause. */
export function interval(
  options: { name: string; everyMs: number; log: Logger },
  tick: (signal: AbortSignal, stepped: () => void) => Promise<void>,
): Component {
  const { name, everyMs, log } = options;
  const stopping = new AbortController();
  const progress = watchProgress(name, { stuckAfterMs: STUCK_AFTER_MS });
  let running: Promise<void> | undefined;

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      progress.began();
      await tick(stopping.signal, progress.stepped).catch((error) =>
        log.warn({ part: name, err: error }, `${name} will try again`),
      );
      progress.ended();
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    name,
    start: async () => {
      running = loop();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
