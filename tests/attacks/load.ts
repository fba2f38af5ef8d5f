import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@collect/testing";

/** What is done over and over: it returns why it was refused, if it was. */
type Acts = Record<string, (number: number) => Promise<string | undefined>>;

export type Load = {
  /** Each refusal and failed call, with the name of the act. */
  refused: string[];
  /** Until every act was done this many times more. */
  untilMore(count: number): Promise<void>;
  /** Resolves when the last calls have ended. */
  stop(): Promise<void>;
};

/** Of each act: a restart is never without calls, and does not wait for a processor that is busy with them. */
const PAUSE_MS = 20;
let numbers = 0;

/** Does each act again and again, one call at a time, and never a second time for a refusal. */
export function startLoad(acts: Acts): Load {
  const refused: string[] = [];
  const done = new Map(Object.keys(acts).map((name) => [name, 0]));
  let stopped = false;

  async function repeat(name: string, act: Acts[string]): Promise<void> {
    while (!stopped) {
      const refusal = await act(numbers++).catch((error) => String(error.cause ?? error));
      if (refusal !== undefined) refused.push(`${name}: ${refusal}`);
      done.set(name, (done.get(name) ?? 0) + 1);
      await sleep(PAUSE_MS);
    }
  }

  const running = Object.entries(acts).map(([name, act]) => repeat(name, act));
  return {
    refused,
    async untilMore(count) {
      const before = new Map(done);
      await until("there was more of everything", () =>
        [...done].every(([name, times]) => times >= (before.get(name) ?? 0) + count),
      );
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
