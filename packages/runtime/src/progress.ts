import type { Logger } from "./log.ts";

/**
 * What a loop reports of its work, so that one which is stuck is found. An attempt that fails is progress: a database that
 * is down for an hour gives an error every few seconds, and no process is restarted for it.
 */
export type Progress = {
  /** Work has begun. A loop that does several things at once reports each. */
  began(): void;
  /** One of them ended, well or not. */
  ended(): void;
  /** A step of something long was done. */
  stepped(): void;
};

type Watched = Progress & {
  name: string;
  stuckAfterMs: number;
  underWay: number;
  /** Looks in a row that found work and no step since the look before. */
  quietLooks: number;
};

export type Watchdog = {
  watch(name: string, options?: { stuckAfterMs?: number }): Progress;
  /** Looks once at all of them: the names of those that are stuck. To be called every LOOK_EVERY_MS. */
  look(): string[];
};

/** Every wait of a loop (statement, connect, publish, request) ends by itself within half of this. */
const STUCK_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

/**
 * Counts looks, and reads no clock: after a SIGSTOP of any length, or a jump of the clock, there is one look, not the many
 * that were missed.
 */
export function createWatchdog(): Watchdog {
  const all: Watched[] = [];
  return {
    watch(name, { stuckAfterMs = STUCK_AFTER_MS } = {}) {
      const watched: Watched = {
        name,
        stuckAfterMs,
        underWay: 0,
        quietLooks: 0,
        began() {
          if (watched.underWay++ === 0) watched.quietLooks = 0;
        },
        ended() {
          watched.underWay--;
          watched.quietLooks = 0;
        },
        stepped() {
          watched.quietLooks = 0;
        },
      };
      all.push(watched);
      return watched;
    },
    look: () =>
      all
        .filter((watched) => watched.underWay > 0 && ++watched.quietLooks > watched.stuckAfterMs / LOOK_EVERY_MS)
        .map(({ name }) => name),
  };
}

/** The loops of this process. */
const watchdog = createWatchdog();

/** Has a loop of this process watched: with work and without a step for `stuckAfterMs` it is stuck. */
export const watchProgress = watchdog.watch;

/** Ends the process when a loop of it is stuck, so that the supervisor starts it anew. */
export function exitWhenStuck(log: Logger, { look, exit, lookEveryMs }: Watching = OURS): void {
  setInterval(() => {
    const stuck = look();
    if (stuck.length === 0) return;
    log.error({ alarm: "stuck", parts: stuck }, "work waits and nothing goes on: the process ends to be started anew");
    exit();
  }, lookEveryMs).unref();
}

type Watching = { look: Watchdog["look"]; exit: () => void; lookEveryMs: number };
const OURS: Watching = { look: watchdog.look, exit: () => process.exit(1), lookEveryMs: LOOK_EVERY_MS };
