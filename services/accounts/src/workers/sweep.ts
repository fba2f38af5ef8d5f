import { setTimeout as sleep } from "node:timers/promises";
import type { Bus } from "@collect/bus";
import { MODES, type Mode } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { inTrace } from "@collect/telemetry";
import { BUSY_POLL_MS, isPathBusy } from "../adapters/path.ts";
import { bringForward, claimDueTransfers, type DriveTimes, markDriven } from "../store/drives.ts";
import { publishTransfers } from "../use-cases/publish-transfers.ts";

export type SweepSchedule = DriveTimes & {
  everyMs: number;
  /** Transfers published in one batch, and per tick while the path is busy. */
  budget: number;
  trickle: number;
};

export const SWEEP: SweepSchedule = {
  everyMs: 5_000,
  firstWaitMs: 30_000,
  longestWaitMs: 3_600_000,
  leaseMs: 30_000,
  budget: 1_000,
  trickle: 20,
};

/** Rows rescheduled in one statement. */
const RESCHEDULED_MAX = 10_000;

type Deps = { pool: Pool; bus: Bus; log: Logger; schedule: SweepSchedule };

/**
 * Redrives unfinished transfers, so that losing the whole message store loses nothing. Each mode has its own sweep, and test
 * waits while live is behind. It adapts to the speed of the path: due transfers are published while the backlog downstream is
 * small, so an outage is never made worse, and after it the path always has the next thousand available.
 */
export function createSweep(deps: Deps): Component {
  let isLiveBehind = false;
  const sweeps = MODES.map((mode) => {
    const drive = createDrive(deps, mode);
    return interval({ name: `sweep.${mode}`, everyMs: deps.schedule.everyMs, log: deps.log }, async (signal) => {
      if (mode === "test" && isLiveBehind) return;
      const isBehind = await drive(signal);
      if (mode === "live") isLiveBehind = isBehind;
    });
  });
  return {
    name: "sweep",
    start: async () => void (await Promise.all(sweeps.map((sweep) => sweep.start()))),
    stop: async () => void (await Promise.all(sweeps.map((sweep) => sweep.stop()))),
  };
}

/** One tick: runs while transfers are due, at most until the next tick. Returns whether any remain. */
function createDrive({ pool, bus, log, schedule }: Deps, mode: Mode) {
  // The broker may also have lost messages before this process started, so the first tick brings due dates forward, too.
  let connectedSince = new Date(0);

  async function drive(limit: number): Promise<number> {
    const rows = await claimDueTransfers(pool, { mode, limit, leaseMs: schedule.leaseMs });
    if (rows.length === 0) return 0;
    // Where their first trace was is not stored: a redrive begins another.
    await inTrace(
      undefined,
      () => ({ name: "redrive", kind: "INTERNAL" }),
      () => publishTransfers(bus, rows),
    );
    const intakeIds = rows.map(({ intakeId }) => intakeId);
    await markDriven(pool, intakeIds, schedule);
    log.warn({ mode, transfers: rows.length }, "unfinished transfers redriven");
    return rows.length;
  }

  return async (signal: AbortSignal): Promise<boolean> => {
    if (bus.connectedSince() > connectedSince) {
      const since = bus.connectedSince();
      const dates = { mode, withinMs: schedule.firstWaitMs, limit: RESCHEDULED_MAX };
      while ((await bringForward(pool, dates)) === RESCHEDULED_MAX && !signal.aborted);
      connectedSince = since;
    }
    const end = performance.now() + schedule.everyMs;
    while (performance.now() < end && !signal.aborted) {
      if (await isPathBusy(bus, mode)) await sleep(BUSY_POLL_MS, undefined, { signal }).catch(() => {});
      else if ((await drive(schedule.budget)) < schedule.budget) return false;
    }
    if (await isPathBusy(bus, mode)) return (await drive(schedule.trickle)) === schedule.trickle;
    return true;
  };
}
