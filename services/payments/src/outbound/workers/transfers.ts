import type { Epochs } from "@collect/bus";
import { MODES, type Mode } from "@collect/contracts";
import type { ByMode, Pool } from "@collect/database";
import type { Component } from "@collect/runtime";
import { claimDueFollowUps, claimDueTransfers } from "../store/transfer-steps.ts";
import { driveTransfer, type TransferDeps } from "../use-cases/advance-transfer.ts";
import { followUp } from "./follow-up.ts";
import { createQueue } from "./queue.ts";

export type TransferWorker = Component & {
  /** A transfer of this mode is due now. */
  wake(mode: Mode): void;
  /** A transfer of this mode that has ended is to be asked about again now. */
  wakeFollowUps(mode: Mode): void;
};

/**
 * Advances every transfer until its event is recorded, and follows up on those that ended. Each mode has its own
 * queues, so that a bank that hangs in live mode, or a flood in test mode, does not delay the other mode. A database
 * that may lack transfers advances none.
 */
export function createTransferWorker({
  pools,
  epochs,
  ...common
}: Omit<TransferDeps, "pool" | "hasRecovered"> & { pools: ByMode<Pool>; epochs: Epochs }): TransferWorker {
  const { log, times } = common;
  const options = { log, pollMs: times.pollMs, concurrency: times.concurrency };
  const claim = (mode: Mode, limit: number) => ({ mode, limit, leaseMs: times.leaseMs });
  const forMode = (mode: Mode) => {
    const pool = pools[mode];
    const deps = { ...common, pool, hasRecovered: epochs.hasRecovered };
    const transfers = createQueue({
      ...options,
      name: `transfers.${mode}`,
      claim: async (limit) => (epochs.isCurrent() ? claimDueTransfers(pool, claim(mode, limit)) : []),
      work: (transfer) => driveTransfer(deps, transfer),
    });
    const followUps = createQueue({
      ...options,
      name: `follow-ups.${mode}`,
      claim: async (limit) => (epochs.isCurrent() ? claimDueFollowUps(pool, claim(mode, limit)) : []),
      work: (transfer) => followUp(deps, transfer, transfers.wake),
    });
    return { transfers, followUps };
  };
  const queues = { test: forMode("test"), live: forMode("live") };
  const all = MODES.flatMap((mode) => [queues[mode].transfers, queues[mode].followUps]);
  return {
    name: "transfers",
    wake: (mode) => queues[mode].transfers.wake(),
    wakeFollowUps: (mode) => queues[mode].followUps.wake(),
    start: async () => void (await Promise.all(all.map((queue) => queue.start()))),
    stop: async () => void (await Promise.all(all.map((queue) => queue.stop()))),
  };
}
