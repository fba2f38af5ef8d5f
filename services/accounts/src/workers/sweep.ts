import { setTimeout as sleep } from "node:timers/promises";
import type { Bus } from "@collect/bus";
import { MODES, type Mode } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { isPathBusy, LOOK_AGAIN_MS } from "../adapters/path.ts";
import { claimDueTransfers, type DriveTimes, markDriven, pullDatesForward } from "../store/drives.ts";
import { publishTransfers } from "../use-cases/publish-transfers.ts";

export type SweepSchedule = DriveTimes & {
  everyMs: number;
  /** Transfers published at once, and how few a tick while the path has enough to do. */
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

/** Rows whose dates are moved in one statement. */
const DATES_MAX = 10_000;

type Deps = { pool: Pool; bus: Bus; log: Logger; schedule: SweepSchedule };

/**
 * Sends unfinished transfers round the path again, so that losing the whole message store loses nothing. Each mode is swept by
 * itself, and test waits while live is behind. It goes as fast as the path takes it and no faster: what is due is published
 * while little waits downstream, so an outage is never fed, and after it the path always has the next thousand at hand.
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

/** One tick: for as long as something is due, and until the next tick at the most. Whether something is left. */
function createDrive({ pool, bus, log, schedule }: Deps, mode: Mode) {
  // What the broker lost while this process was not there is as lost: the first tick pulls the dates forward, too.
  let connectedSince = new Date(0);

  async function drive(limit: number): Promise<number> {
    const rows = await claimDueTransfers(pool, { mode, limit, leaseMs: schedule.leaseMs });
    if (rows.length === 0) return 0;
    await publishTransfers(bus, rows);
    const intakeIds = rows.map(({ intakeId }) => intakeId);
    await markDriven(pool, intakeIds, schedule);
    log.warn({ mode, transfers: rows.length }, "unfinished transfers sent round again");
    return rows.length;
  }

  return async (signal: AbortSignal): Promise<boolean> => {
    if (bus.connectedSince() > connectedSince) {
      const since = bus.connectedSince();
      const dates = { mode, withinMs: schedule.firstWaitMs, limit: DATES_MAX };
      while ((await pullDatesForward(pool, dates)) === DATES_MAX && !signal.aborted);
      connectedSince = since;
    }
    const end = performance.now() + schedule.everyMs;
    while (performance.now() < end && !signal.aborted) {
      if (await isPathBusy(bus, mode)) await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {});
      else if ((await drive(schedule.budget)) < schedule.budget) return false;
    }
    if (await isPathBusy(bus, mode)) return (await drive(schedule.trickle)) === schedule.trickle;
    return true;
  };
}
