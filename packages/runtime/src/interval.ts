import { setTimeout as sleep } from "node:timers/promises";
import type { Component } from "./component.ts";
import type { Logger } from "./log.ts";
import { watchProgress } from "./progress.ts";

/** A tick may have much work after an outage. A tick with many steps reports each with `stepped`. */
const STUCK_AFTER_MS = 900_000;

/** Repeats its work until it is stopped, with a pause in between. A failed tick is retried after the pause. */
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
        log.warn({ part: name, err: error }, `${name} will be retried`),
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
