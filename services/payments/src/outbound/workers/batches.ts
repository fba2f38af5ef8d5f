import type { Epochs } from "@collect/bus";
import { MODES, type Mode } from "@collect/contracts";
import type { ByMode, Pool } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import type { Batch } from "../domain/transfer-batch.ts";
import { type TransferTimes, waitAfter } from "../domain/transfer-times.ts";
import { claimDueBatches, markLapsed, postponeBatch } from "../store/transfer-batches.ts";
import { checkBatch } from "../use-cases/check-batch.ts";
import type { OrderDeps } from "../use-cases/order-transfer.ts";
import { sendBatch } from "../use-cases/send-batch.ts";
import { createQueue } from "./queue.ts";

/** Files of a mode that one process works on at once. */
const CONCURRENCY = 2;

type Deps = Omit<OrderDeps, "pool" | "times"> & {
  pools: ByMode<Pool>;
  epochs: Epochs;
  log: Logger;
  times: TransferTimes;
};
export type BatchWorker = Component & { wake(mode: Mode): void };

/** Checks the lines of files and orders those of confirmed ones, until it is done or a person has to decide. */
export function createBatchWorker({ pools, epochs, ...common }: Deps): BatchWorker {
  const { log, times } = common;
  const { leaseMs, pollMs } = times;
  const forMode = (mode: Mode) => {
    const deps = { ...common, pool: pools[mode], leaseMs };
    return createQueue({
      ...{ log, pollMs, concurrency: CONCURRENCY },
      name: `transfer-batches.${mode}`,
      claim: async (limit) => (epochs.isCurrent() ? claimDueBatches(deps.pool, { mode, limit, leaseMs }) : []),
      work: (batch) => workOn(deps, batch),
    });
  };
  const queues = { test: forMode("test"), live: forMode("live") };
  return {
    name: "transfer-batches",
    wake: (mode) => queues[mode].wake(),
    start: async () => void (await Promise.all(MODES.map((mode) => queues[mode].start()))),
    stop: async () => void (await Promise.all(MODES.map((mode) => queues[mode].stop()))),
  };
}

async function workOn(deps: Parameters<typeof sendBatch>[0] & { log: Logger; times: TransferTimes }, batch: Batch) {
  const started = performance.now();
  const { log, pool, times } = deps;
  let outcome = "ok";
  try {
    if (batch.state === "checking") await checkBatch(deps, batch);
    else if (batch.state === "sending") await sendBatch(deps, batch);
    else await markLapsed(pool, batch.reference);
  } catch (error) {
    outcome = "later";
    log.warn({ ...logFields(batch), err: error }, "the file of transfers could not be continued and will be retried");
    await postponeBatch(pool, batch, waitAfter(times.enquiry, batch.attempts)).catch(() => {
      // If the database is unreachable, the lease decides when it is due again.
    });
  }
  const duration_ms = Math.round(performance.now() - started);
  log.info({ ...logFields(batch), state: batch.state, outcome, duration_ms }, "transfer batch");
}

const logFields = ({ reference, merchantId, mode }: Batch) => ({
  subject: "transfer_batch",
  transfer_batch: reference,
  merchant_id: merchantId,
  mode,
});
