import type { Epochs } from "@collect/bus";
import { MODES, type Mode } from "@collect/contracts";
import type { ByMode, Pool } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import type { Batch } from "../domain/transfer-batch.ts";
import { type TransferTimes, waitAfter } from "../domain/transfer-times.ts";
import { claimDueBatches, findStale, markLapsed, postponeBatch } from "../store/batch-steps.ts";
import { checkRound } from "../use-cases/check-batch.ts";
import type { OrderDeps } from "../use-cases/order-transfer.ts";
import { refuseStale, sendRound } from "../use-cases/send-batch.ts";
import { createQueue } from "./queue.ts";

/** Files of a mode that one process works on at once. */
const CONCURRENCY = 2;

type Common = Omit<OrderDeps, "pool" | "times"> & { log: Logger; times: TransferTimes };
type Deps = Common & { pools: ByMode<Pool>; epochs: Epochs };
export type BatchWorker = Component & { wake(mode: Mode): void };

/**
 * Checks the lines of files and orders those of confirmed ones, a few lines to a claim, so that files take turns and a process that
 * stops does not wait for a whole file. Files that are sent come before those that are checked.
 */
export function createBatchWorker({ pools, epochs, ...common }: Deps): BatchWorker {
  const { log, times } = common;
  const { leaseMs, pollMs } = times;
  const forMode = (mode: Mode) => {
    const deps = { ...common, pool: pools[mode] };
    const queue = createQueue<Batch>({
      ...{ log, pollMs, concurrency: CONCURRENCY },
      name: `transfer-batches.${mode}`,
      claim: async (limit) => {
        if (!epochs.isCurrent()) return [];
        for (const batch of await findStale(deps.pool, mode, CONCURRENCY)) await refuseStale(deps, batch);
        return claimDueBatches(deps.pool, { mode, limit, leaseMs });
      },
      work: async (batch) => {
        await workOn(deps, batch);
        queue.wake();
      },
    });
    return queue;
  };
  const queues = { test: forMode("test"), live: forMode("live") };
  return {
    name: "transfer-batches",
    wake: (mode) => queues[mode].wake(),
    start: async () => void (await Promise.all(MODES.map((mode) => queues[mode].start()))),
    stop: async () => void (await Promise.all(MODES.map((mode) => queues[mode].stop()))),
  };
}

/** One round. The row says when it is due again; if the database cannot be reached, its lease does. */
async function workOn(deps: Common & { pool: Pool }, batch: Batch): Promise<void> {
  const started = performance.now();
  const { log } = deps;
  let outcome = "ok";
  try {
    outcome = await advance(deps, batch);
  } catch (error) {
    outcome = "later";
    log.warn({ ...logFields(batch), err: error }, "the file of transfers could not be continued and will be retried");
    await postpone(deps, batch).catch(() => {});
  }
  const duration_ms = Math.round(performance.now() - started);
  const { state } = batch;
  log.info({ ...logFields(batch), state, outcome, duration_ms }, "transfer batch");
}

async function advance(deps: Common & { pool: Pool }, batch: Batch): Promise<string> {
  const { pool } = deps;
  if (batch.state !== "checking" && batch.state !== "sending") {
    await markLapsed(pool, batch);
    return "lapsed";
  }
  const round = await (batch.state === "checking" ? checkRound : sendRound)(deps, batch);
  if (round === "progress") await postponeBatch(pool, batch, 0);
  else if (round === "nothing") await postpone(deps, batch);
  return round;
}

const postpone = ({ pool, times }: Common & { pool: Pool }, batch: Batch) =>
  postponeBatch(pool, batch, waitAfter(times.enquiry, batch.attempts));

const logFields = ({ reference, merchantId, mode }: Batch) => ({
  subject: "transfer_batch",
  transfer_batch: reference,
  merchant_id: merchantId,
  mode,
});
