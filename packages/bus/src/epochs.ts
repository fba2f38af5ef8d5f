import { setTimeout as sleep } from "node:timers/promises";
import {
  confirmEpoch,
  endRecovery as endRecoveryOf,
  getRecovery,
  MONEY_SERVICES,
  type MoneyService,
  Problem,
  startRecovery,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import type { Bus } from "./connect.ts";
import {
  beat,
  claimRecovery,
  confirmed,
  endRecovery,
  finishRecovery,
  insertRecovery,
  keepEpoch,
  lastRecovery,
  ownEpoch,
  postponeRecovery,
  type Recovery,
  setStep,
} from "./epoch-store.ts";
import { answer, type Request } from "./requests.ts";

export type { Recovery } from "./epoch-store.ts";

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

/** One step after the other, each safe to repeat from its beginning. What it throws is logged, and it is begun again. */
export type Recover = (
  recovery: Recovery,
  progress: { step(name: string): Promise<void>; signal: AbortSignal },
) => Promise<void>;

const BEAT_MS = 2_000;
/** Until a neighbour has confirmed the first epoch, money waits for it. */
const FIRST_BEATS_MS = 200;
const AGAIN_MS = 1_000;

export function createEpochs(options: {
  service: MoneyService;
  pool: Pool;
  bus: Bus;
  log: Logger;
  recover: Recover;
}): Epochs {
  const { service, pool, bus, log } = options;
  const neighbours = MONEY_SERVICES.filter((name) => name !== service);
  const stopping = new AbortController();
  let last: bigint | undefined;
  let isConfirmed = false;
  let underWay: string | undefined;
  let recently = false;
  let recovering: Promise<void> | undefined;
  let beating: Promise<void> | undefined;

  async function beatOnce(): Promise<void> {
    const { epoch, at, step, ...found } = await beat(pool, service).catch((error: unknown) => {
      // While it was away it may have been replaced by an older one: whether it was must be asked again.
      isConfirmed = false;
      throw error;
    });
    recently = found.recently;
    // The database went back beneath a living process: nothing that was confirmed is of any worth.
    if (last !== undefined && epoch <= last) isConfirmed = false;
    last = epoch;
    underWay = step ?? undefined;
    const answers = await Promise.allSettled(
      neighbours.map(async (neighbour) => {
        const { held } = await bus.request(confirmEpoch[neighbour], { service, epoch: Number(epoch) });
        return { neighbour, held: BigInt(held) };
      }),
    );
    const given = answers.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    // Another replica may have counted on meanwhile.
    const highest = given.some(({ held }) => held > epoch) ? await ownEpoch(pool, service) : epoch;
    const ahead = given.filter(({ held }) => held > highest);
    if (ahead.length > 0) return notice(ahead);
    if (given.length === 0) return;
    await confirmed(
      pool,
      given.map(({ neighbour }) => neighbour),
      at,
    );
    isConfirmed = true;
  }

  async function notice(ahead: { neighbour: MoneyService; held: bigint }[]): Promise<void> {
    isConfirmed = false;
    underWay ??= "noticed";
    const recovery = await insertRecovery(pool, service, ahead);
    last = undefined;
    log.error(
      {
        alarm: "database_restored",
        restored_to: recovery.isUnknown ? null : recovery.restoredTo,
        held_by: ahead.map(({ neighbour }) => neighbour),
      },
      recovery.isUnknown
        ? "the database was restored to before it was ever confirmed; start its recovery by hand (ops -- recovery start)"
        : "the database was restored to an earlier moment; it catches up with its neighbours",
    );
  }

  async function recover(): Promise<void> {
    const recovery = await claimRecovery(pool);
    if (!recovery) return;
    let before = "";
    const step = (name: string) => {
      if (name !== before) log.warn({ alarm: "recovering", step: name, restored_to: recovery.restoredTo }, "recovery");
      before = name;
      underWay = name;
      // Whoever stops leaves it to the next, and does not go through all of it first.
      stopping.signal.throwIfAborted();
      return setStep(pool, recovery, name);
    };
    try {
      await options.recover(recovery, { step, signal: stopping.signal });
      if (await finishRecovery(pool, recovery))
        log.warn({ restored_to: recovery.restoredTo }, "the database has caught up");
    } catch (error) {
      if (!stopping.signal.aborted)
        log.error({ alarm: "recovering", restored_to: recovery.restoredTo, err: error }, "the recovery will try again");
      await postponeRecovery(pool, recovery, AGAIN_MS);
    }
  }

  async function round(): Promise<void> {
    await beatOnce().catch((error) => log.warn({ part: "epochs", err: error }, "the epoch is not confirmed"));
    if (underWay === undefined) return;
    recovering ??= recover()
      .catch((error) => log.warn({ part: "epochs", err: error }, "the recovery will try again"))
      .finally(() => {
        recovering = undefined;
      });
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isWaiting = !isConfirmed || underWay !== undefined;
      await sleep(isWaiting ? FIRST_BEATS_MS : BEAT_MS, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await round();
    }
  }

  const isCurrent = () => isConfirmed && underWay === undefined;
  return {
    isCurrent,
    recoveryStep: () => underWay,
    hasRecovered: () => recently || underWay !== undefined,
    assertCurrent() {
      if (!isCurrent())
        throw new Problem("service_unavailable", "Temporarily unavailable. Try again shortly.", { retryAfterS: 5 });
    },
    holdUntilCurrent() {
      if (!isCurrent()) throw new Later("the database has not been confirmed by a neighbour, or is catching up");
    },
    requests: [
      answer(confirmEpoch[service], async (input) => ({
        held: Number(await keepEpoch(pool, input.service, BigInt(input.epoch))),
      })),
      answer(getRecovery[service], async () => {
        const recovery = await lastRecovery(pool);
        return { is_current: isCurrent(), recovery: recovery ? toResponse(recovery) : null };
      }),
      answer(endRecoveryOf[service], async () => {
        const ended = await endRecovery(pool);
        if (!ended) throw new Problem("conflict", "No recovery is running.");
        log.error({ alarm: "recovery_ended", restored_to: ended.restoredTo }, "an operator ended the recovery");
        return { recovery: toResponse(ended) };
      }),
      answer(startRecovery[service], async ({ restored_to }) => {
        const recovery = await insertRecovery(pool, service, [], restored_to);
        underWay ??= "noticed";
        return { recovery: toResponse(recovery) };
      }),
    ],
    part: {
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
    },
  };
}

function toResponse({ restoredTo, noticedAt, step, finishedAt }: Recovery) {
  return { restored_to: restoredTo, noticed_at: noticedAt, step, finished_at: finishedAt };
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
