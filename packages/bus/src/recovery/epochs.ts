import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@collect/contracts";
import type { Component } from "@collect/runtime";
import type { Request } from "../requests.ts";
import { createEpochBeat } from "./epoch-beat.ts";
import { epochRequests } from "./epoch-requests.ts";
import type { EpochDeps, EpochState } from "./epoch-state.ts";
import { measureRecovery } from "./measurements.ts";
import { createRecoveryRunner, type Recover } from "./recovery-runner.ts";

/**
 * Detects that this database was restored. It contains an epoch that is incremented continuously, and the peers keep
 * the highest value they received. A peer with a higher value than the database proves that the database was restored,
 * and to when. Until a peer has confirmed the epoch, and while a recovery is in progress, nothing may be decided that
 * could contradict a decision that was lost: no money is sent and no number is assigned.
 */
export type Epochs = {
  component: Component;
  requests: Request[];
  isCurrent(): boolean;
  /** The step of the recovery in progress; undefined if none is known. */
  recoveryStep(): string | undefined;
  /** Whether it was restored within the last day: messages in flight at that time may still arrive. */
  hasRecovered(): boolean;
  /** Throws service_unavailable unless current; for requests. */
  assertCurrent(): void;
  /** Throws a transient error unless current; for batches, which are then retried. */
  holdUntilCurrent(): void;
};

type EpochOptions = EpochDeps & { recover: Recover };

const BEAT_MS = 2_000;
/** Faster until a peer has confirmed the first epoch, because money waits for it. */
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
      if (!isCurrent()) throw new RetryLater("the database has not been confirmed by a peer, or is catching up");
    },
    requests: epochRequests(options, state, isCurrent),
    component: epochComponent(options, state),
  };
}

/** Runs the heartbeat continuously, and concurrently the recovery in progress, if there is one. */
function epochComponent(options: EpochOptions, state: EpochState): Component {
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
      .catch((error) => log.warn({ part: "epochs", err: error }, "the recovery will be retried"))
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
    measurements: measureRecovery(options.pool),
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

/** A transient error, with the code of a PostgreSQL server that is starting up: the batch is retried. */
export class RetryLater extends Error {
  readonly code = "57P03";
}

/** For a service that runs without peers. */
export const CURRENT_EPOCHS: Epochs = {
  isCurrent: () => true,
  recoveryStep: () => undefined,
  hasRecovered: () => false,
  assertCurrent: () => {},
  holdUntilCurrent: () => {},
  requests: [],
  component: { name: "epochs", start: async () => {}, stop: async () => {} },
};
