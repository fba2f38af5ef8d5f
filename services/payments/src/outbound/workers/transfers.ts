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
};

/**
 * Goes on with every transfer until it is told, and asks about those that ended. Each mode has queues of its own, so that a
 * bank that hangs in live mode, or a flood in test mode, keeps nobody else waiting. A database that may lack transfers moves
 * none of them.
 */
export function createTransferWorker({
  pools,
  epochs,
  ...common
}: Omit<TransferDeps, "pool" | "hasRecovered"> & { pools: ByMode<Pool>; epochs: Epochs }): TransferWorker {
  const { log, times } = common;
  const queue = { log, pollMs: times.pollMs, atOnce: times.atOnce };
  const claim = (mode: Mode, limit: number) => ({ mode, limit, leaseMs: times.leaseMs });
  const forMode = (mode: Mode) => {
    const pool = pools[mode];
    const deps = { ...common, pool, hasRecovered: epochs.hasRecovered };
    const transfers = createQueue({
      ...queue,
      name: `transfers.${mode}`,
      claim: async (limit) => (epochs.isCurrent() ? claimDueTransfers(pool, claim(mode, limit)) : []),
      work: (transfer) => driveTransfer(deps, transfer),
    });
    const followUps = createQueue({
      ...queue,
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
    start: async () => void (await Promise.all(all.map((part) => part.start()))),
    stop: async () => void (await Promise.all(all.map((part) => part.stop()))),
  };
}
