import type { Logger } from "./log.ts";

/**
 * What a loop reports about its work, so that a stuck loop is detected. A failed attempt is progress: a database that
 * is down for an hour causes an error every few seconds, and no process is restarted for it.
 */
export type Progress = {
  /** Work has begun. A loop with concurrent work reports each piece. */
  began(): void;
  /** A piece of work ended, successfully or not. */
  ended(): void;
  /** A step of a long piece of work was completed. */
  stepped(): void;
};

type Watched = Progress & {
  name: string;
  stuckAfterMs: number;
  inProgress: number;
  /** Consecutive checks that found work and no progress since the previous check. */
  idleChecks: number;
};

export type Watchdog = {
  watch(name: string, options?: { stuckAfterMs?: number }): Progress;
  /** Checks all loops and returns the names of the stuck ones. Call it every CHECK_INTERVAL_MS. */
  check(): string[];
  /** The loops that the last check found stuck and that have made no progress since. */
  stuck(): string[];
};

/** Every wait of a loop (statement, connect, publish, request) times out within half of this. */
const STUCK_AFTER_MS = 60_000;
const CHECK_INTERVAL_MS = 5_000;

/**
 * Counts checks and reads no clock: after a SIGSTOP of any length, or a clock jump, there is one check, not the many
 * that were missed.
 */
export function createWatchdog(): Watchdog {
  const all: Watched[] = [];
  const isStuck = ({ inProgress, idleChecks, stuckAfterMs }: Watched) =>
    inProgress > 0 && idleChecks > stuckAfterMs / CHECK_INTERVAL_MS;
  const stuck = () => all.filter(isStuck).map(({ name }) => name);
  return {
    watch(name, { stuckAfterMs = STUCK_AFTER_MS } = {}) {
      const watched: Watched = {
        name,
        stuckAfterMs,
        inProgress: 0,
        idleChecks: 0,
        began() {
          if (watched.inProgress++ === 0) watched.idleChecks = 0;
        },
        ended() {
          watched.inProgress--;
          watched.idleChecks = 0;
        },
        stepped() {
          watched.idleChecks = 0;
        },
      };
      all.push(watched);
      return watched;
    },
    check() {
      for (const watched of all) if (watched.inProgress > 0) watched.idleChecks++;
      return stuck();
    },
    stuck,
  };
}

/** The loops of this process. */
const watchdog = createWatchdog();

/** Watches a loop of this process: with work and without progress for `stuckAfterMs` it is stuck. */
export const watchProgress = watchdog.watch;

/** The loops of this process that are stuck. */
export const stuckLoops = watchdog.stuck;

/** Exits the process when one of its loops is stuck, so that the supervisor restarts it. */
export function exitWhenStuck(log: Logger, { check, exit, checkIntervalMs }: WatchOptions = DEFAULTS): void {
  setInterval(() => {
    const stuck = check();
    if (stuck.length === 0) return;
    log.error(
      { alarm: "stuck", parts: stuck },
      "a loop has work and makes no progress: the process exits to be restarted",
    );
    exit();
  }, checkIntervalMs).unref();
}

type WatchOptions = { check: Watchdog["check"]; exit: () => void; checkIntervalMs: number };
const DEFAULTS: WatchOptions = {
  check: watchdog.check,
  exit: () => process.exit(1),
  checkIntervalMs: CHECK_INTERVAL_MS,
};
