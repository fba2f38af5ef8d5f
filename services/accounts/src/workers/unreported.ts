import { type Component, interval } from "@collect/runtime";
import { askForSettled, type Batch, type SettledDeps } from "../use-cases/ask-for-settled.ts";

export type Asking = Batch & {
  everyMs: number;
  /** How long after its settlement a transfer may be reported. */
  afterMs: number;
};

/** Of 50 questions at 8 at once none is answered in 56 s, with the longest answer that is waited for: `BANK_TIMEOUT_MS` is 8 s. */
export const ASKING = {
  ...{ everyMs: 5_000, afterMs: 900_000, firstWaitMs: 120_000, longestWaitMs: 3_600_000 },
  ...{ batchMax: 50, concurrency: 8 },
} satisfies Asking;

/** Asks partners for what they settled and never reported: a customer whose payment was in a lost notification is credited all the same. */
export function createUnreportedWorker({ asking, ...deps }: SettledDeps & { asking: Asking }): Component {
  const { log, epochs } = deps;
  return interval({ name: "unreported", everyMs: asking.everyMs, log }, async (signal, stepped) => {
    // What was credited, and what is settled, may be missing after a restore.
    while (!signal.aborted && epochs.isCurrent() && (await askForSettled(deps, asking, signal))) stepped();
  });
}
