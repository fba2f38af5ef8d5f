import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@collect/contracts";
import type { Component } from "@collect/runtime";
import type { Request } from "../requests.ts";
import { createEpochBeat } from "./epoch-beat.ts";
import { epochRequests } from "./epoch-requests.ts";
import type { EpochDeps, EpochState } from "./epoch-state.ts";
import { createRecoveryRunner, type Recover } from "./recovery-runner.ts";

/**
 * Whether this database is the one that the neighbours know. An epoch counts up in it all the time and the neighbours keep
 * the highest they were given: one that holds more than the database has proves that the database was restored, and to
 * when. Until a neighbour has confirmed the epoch, and while a recovery is under way, nothing may be decided that could
 * contradict what was decided and lost: no money goes out and no number is given.
 */
export type Epochs = {
  part: Component;
  requests: Request[];
  isCurrent(): boolean;
  /** The step of the recovery under way; undefined when none is known to be. */
  recoveryStep(): string | undefined;
  /** Whether it was restored within a day: what was on its way then may still come. */
  hasRecovered(): boolean;
  /** Throws service_unavailable unless current: for what a caller asks for. */
  assertCurrent(): void;
  /** Throws what passes unless current: for a batch, which then comes again. */
  holdUntilCurrent(): void;
};

type EpochOptions = EpochDeps & { recover: Recover };

const BEAT_MS = 2_000;
/** Until a neighbour has confirmed the first epoch, money waits for it. */
const FIRST_BEATS_MS = 200;

export function createEpochs(options: EpochOptions): Epochs {
  const state: EpochState = { last: undefined, isConfirmed: false, step: undefined, recently: false };
  const isCurrent = () => state.isConfirmed && state.step === undefined;
  return {
    isCurrent,
    recoveryStep: () => state.step,
    hasRecovered: () => state.recently || state.step !== undefined,
    assertCurrent() {
      if (!isCurrent())
        throw new Problem("service_unavailable", "Temporarily unavailable. Try again shortly.", { retryAfterS: 5 });
    },
    holdUntilCurrent() {
      if (!isCurrent()) throw new Later("the database has not been confirmed by a neighbour, or is catching up");
    },
    requests: epochRequests(options, state, isCurrent),
    part: beatAndRecover(options, state),
  };
}

/** Beats all the time, and beside that does the recovery that is under way, if there is one. */
function beatAndRecover(options: EpochOptions, state: EpochState): Component {
  const { log } = options;
  const stopping = new AbortController();
  const beat = createEpochBeat(options, state);
  const recover = createRecoveryRunner(options, state, stopping.signal);
  let recovering: Promise<void> | undefined;
  let beating: Promise<void> | undefined;

  async function round(): Promise<void> {
    await beat().catch((error) => log.warn({ part: "epochs", err: error }, "the epoch is not confirmed"));
    if (state.step === undefined) return;
    recovering ??= recover()
      .catch((error) => log.warn({ part: "epochs", err: error }, "the recovery will try again"))
      .finally(() => {
        recovering = undefined;
      });
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isWaiting = !state.isConfirmed || state.step !== undefined;
      await sleep(isWaiting ? FIRST_BEATS_MS : BEAT_MS, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await round();
    }
  }

  return {
    name: "epochs",
    async start() {
      await round();
      beating = loop();
    },
    async stop() {
      stopping.abort();
      await beating;
      await recovering;
    },
  };
}

/** Passes by itself, as what a server says that is starting up: the batch comes again. */
export class Later extends Error {
  readonly code = "57P03";
}

/** For a service that runs without neighbours. */
export const CURRENT_EPOCHS: Epochs = {
  isCurrent: () => true,
  recoveryStep: () => undefined,
  hasRecovered: () => false,
  assertCurrent: () => {},
  holdUntilCurrent: () => {},
  requests: [],
  part: { name: "epochs", start: async () => {}, stop: async () => {} },
};
