import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./log.ts";
import type { Part } from "./run.ts";

/** Does its work again and again until it is stopped, with a pause in between. What fails is tried again after the pause. */
export function every(
  options: { name: string; everyMs: number; log: Logger },
  tick: (signal: AbortSignal) => Promise<void>,
): Part {
  const { name, everyMs, log } = options;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tick(stopping.signal).catch((error) => log.warn({ part: name, err: error }, `${name} will try again`));
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
