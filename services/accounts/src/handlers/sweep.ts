import type { Bus } from "@collect/bus";
import { collectionPosted, collectionSucceeded, transferReceived } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { every, type Logger, type Part } from "@collect/runtime";
import { claimDueTransfers } from "../store/inbound-transfers.ts";
import { publishTransfers } from "./facts.ts";

export type SweepSchedule = {
  everyMs: number;
  firstWaitMs: number;
  longestWaitMs: number;
  /** Transfers sent round again in one tick, and how few while a stage downstream has this much to do already. */
  budget: number;
  trickle: number;
  backlogMax: number;
};

export const SWEEP: SweepSchedule = {
  everyMs: 5_000,
  firstWaitMs: 30_000,
  longestWaitMs: 3_600_000,
  budget: 1_000,
  trickle: 20,
  backlogMax: 500,
};

const DOWNSTREAM = [transferReceived, collectionPosted, collectionSucceeded];

/**
 * Sends unfinished transfers round the path again, so that losing the whole message store loses nothing.
 * It must not feed an outage: rows back off, a tick has a budget, and a backlog downstream turns it down to a trickle.
 */
export function createSweep({
  pool,
  bus,
  log,
  schedule,
}: {
  pool: Pool;
  bus: Bus;
  log: Logger;
  schedule: SweepSchedule;
}): Part {
  return every({ name: "sweep", everyMs: schedule.everyMs, log }, async () => {
    const isBusy = (await bus.backlog(DOWNSTREAM)) > schedule.backlogMax;
    const rows = await claimDueTransfers(pool, { ...schedule, budget: isBusy ? schedule.trickle : schedule.budget });
    if (rows.length === 0) return;
    await publishTransfers(bus, rows);
    log.warn({ transfers: rows.length, trickle: isBusy }, "unfinished transfers sent round again");
  });
}
