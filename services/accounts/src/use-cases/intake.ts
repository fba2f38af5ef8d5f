import { type Bus, onceAvailable } from "@collect/bus";
import type { Mode } from "@collect/contracts";
import type { ByMode, Pool } from "@collect/database";
import { createGroupCommit, failpoint, type Logger } from "@collect/runtime";
import {
  areSameCharges,
  intakeIdOf,
  isSameTransfer,
  isTakenForWrong,
  type ReportedTransfer,
  reasonToQuarantine,
} from "../domain/intake.ts";
import { ownBankIn, type Partners } from "../domain/partners.ts";
import { isReversal } from "../domain/reversal.ts";
import {
  type Intake as IntakeRow,
  insertTransfers,
  paidIntoAnother,
  quarantineTransfers,
  readTransfers,
  type TransferRow,
} from "../store/inbound-transfers.ts";
import {
  type IntakeResult,
  logQuarantined,
  logRecharged,
  logReservation,
  logWrongTime,
  rethrow,
  unavailable,
} from "./intake-results.ts";
import { publishTransfers } from "./publish-transfers.ts";
import type { TakeReversal } from "./take-reversals.ts";

export type Intake = {
  accept(transfer: ReportedTransfer): Promise<IntakeResult>;
  /** All of them in one commit, or none; up to 300 of one mode. The results are in the same order. */
  acceptAll(transfers: ReportedTransfer[]): Promise<IntakeResult[]>;
};

const BATCH_MAX = 300;
/** The maximum of reports that wait for a commit; a refused bank retries. */
const QUEUE_MAX = 5_000;
/**
 * Each commit makes a batch in every stage after it, which costs about a millisecond of processor time however few transfers it
 * has (docs/decisions/0076-batches-come-apart.md). So a report that follows another waits for some more; one after a pause does not.
 */
const APART_MS = 10;
/** Batches have a queue of their own: a flood of them does not delay single reports. */
const QUEUED_BATCHES_MAX = 20;
/** The maximum of batches that wait for the broker's answer. */
const PUBLISHING_MAX = 32;
/** The maximum of transfers that wait for the broker, and how long each does at most: less than the sweep waits. */
const WAITING_MAX = 2_000;
const WAITING_MAX_MS = 20_000;

/**
 * Accepts transfers, many in one commit: everything else depends on this commitment. Each mode has its own connections, queues
 * and publishing limit, so that a flood of test money does not delay live reports.
 */
export function createIntake({
  pools,
  takeReversal,
  ...deps
}: Deps & { pools: ByMode<Pool>; takeReversal: TakeReversal }): Intake {
  const intakes = { live: intakeOf("live", pools.live, deps), test: intakeOf("test", pools.test, deps) };
  return {
    accept: (transfer) => (isReversal(transfer) ? takeReversal(transfer) : intakes[transfer.mode].accept(transfer)),
    acceptAll: async (transfers) => {
      if (transfers.some(isReversal)) throw new Error("a batch is of credits: reversals are accepted one by one");
      const [first] = transfers;
      return first ? intakes[first.mode].acceptAll(transfers) : [];
    },
  };
}

type Deps = {
  bus: Bus;
  log: Logger;
  intakeKey: string;
  ownBank: Partners["own"];
};

function intakeOf(mode: Mode, pool: Pool, deps: Deps): Intake {
  const publishAccepted = createPublisher(deps);
  const commit = async (reports: ReportedTransfer[]): Promise<IntakeResult[]> => {
    const own = ownBankIn(mode, deps.ownBank);
    const { results, accepted } = await commitReports(pool, { ...deps, own }, reports);
    void publishAccepted(accepted);
    return results;
  };
  const one = createGroupCommit({
    name: `intake.${mode}`,
    commit,
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    apartMs: APART_MS,
    refuse: unavailable,
  });
  const many = createGroupCommit({
    name: `intake.batches.${mode}`,
    commit: (batches: ReportedTransfer[][]) => Promise.all(batches.map(commit)),
    batchMax: 1,
    queueMax: QUEUED_BATCHES_MAX,
    refuse: unavailable,
  });
  return {
    accept: (transfer) => one(transfer).catch(rethrow),
    acceptAll: (transfers) => many(transfers).catch(rethrow),
  };
}

/** Commits what the bank reported, and returns the rows that are new. */
async function commitReports(
  pool: Pool,
  { log, intakeKey, own }: Deps & { own: string | null },
  reports: ReportedTransfer[],
): Promise<{ results: IntakeResult[]; accepted: TransferRow[] }> {
  const transfers = reports.map((report) => ({ ...report, intakeId: intakeIdOf(intakeKey, report) }));
  // Each statement may commit alone: a bank that gets no response repeats its report.
  const inserted = await insertTransfers(
    pool,
    transfers.filter((transfer) => reasonToQuarantine(transfer, "credit") === undefined),
    own,
  );
  // The others are read back in a second statement: a concurrent duplicate may have committed in between.
  const others = transfers.map(({ intakeId }) => intakeId).filter((intakeId) => !inserted.has(intakeId));
  const classified = classify(transfers, inserted, await readTransfers(pool, others));
  const quarantined = classified.flatMap((each) => each.quarantined ?? []);
  await quarantineTransfers(pool, quarantined, own);
  failpoint("committed");
  const ownerless = transfers.filter(
    ({ intakeId, reservation }) => reservation !== undefined && inserted.get(intakeId)?.merchantId === null,
  );
  for (const intakeId of ownerless.length > 0 ? await paidIntoAnother(pool, ownerless, own) : [])
    logReservation(log, { intake_id: intakeId });
  for (const { intakeId, paidAt } of transfers) {
    const row = inserted.get(intakeId);
    if (row?.mode === "live" && isTakenForWrong(paidAt, row)) logWrongTime(log, { intake_id: intakeId });
  }
  for (const { intakeId, mode, type, reason } of quarantined)
    logQuarantined(log, { intake_id: intakeId, mode, type, reason });
  for (const { intakeId, mode } of classified.flatMap(({ recharged }) => recharged ?? []))
    logRecharged(log, { intake_id: intakeId, mode });
  return { results: classified.map(({ answer }) => answer), accepted: [...inserted.values()] };
}

/**
 * Publishes what was committed, a bounded number of batches at once. While the broker is not there, or its cluster elects a
 * leader, a bounded number of transfers waits for it, for a bounded time; the sweep publishes the rest.
 */
function createPublisher({ bus, log }: Deps): (rows: TransferRow[]) => Promise<void> {
  let publishing = 0;
  /** From a failure until the queue has published a batch. */
  let isAway = false;
  const waiting: TransferRow[] = [];
  let leftToSweep = 0;
  return async (rows) => {
    if (isAway || publishing >= PUBLISHING_MAX) return wait(rows);
    publishing++;
    try {
      await publishTransfers(bus, rows);
      failpoint("published");
    } catch (error) {
      log.warn({ err: error, transfers: rows.length }, "not published yet");
      isAway = true;
      wait(rows);
    } finally {
      publishing--;
    }
  };

  function wait(rows: TransferRow[]): void {
    if (waiting.length + rows.length > WAITING_MAX) {
      leftToSweep += rows.length;
      return;
    }
    waiting.push(...rows);
    if (waiting.length === rows.length) void publishWaiting();
  }

  /** One deadline for the whole queue, from its first transfer: none waits longer. */
  async function publishWaiting(): Promise<void> {
    const signal = AbortSignal.timeout(WAITING_MAX_MS);
    let failure: unknown;
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH_MAX);
        await onceAvailable("transfers", () => publishTransfers(bus, batch), { log, signal });
        waiting.splice(0, batch.length);
        isAway = false;
      }
    } catch (error) {
      failure = error;
      leftToSweep += waiting.splice(0).length;
    }
    if (leftToSweep > 0)
      log.warn({ err: failure, transfers: leftToSweep }, "not published; the sweep will publish them");
    leftToSweep = 0;
    isAway = false;
  }
}

type Classified = {
  answer: IntakeResult;
  quarantined?: IntakeRow & { reason: string };
  /** A repeat with other charges than those that are booked. */
  recharged?: IntakeRow;
};

/** The result of each report, in order: the first of a new id is accepted, a repeat is a duplicate, anything else is quarantined. */
function classify(
  transfers: IntakeRow[],
  inserted: Map<string, TransferRow>,
  before: Map<string, TransferRow>,
): Classified[] {
  const unclaimed = new Set(inserted.keys());
  return transfers.map((transfer) => {
    const { intakeId } = transfer;
    const row = inserted.get(intakeId) ?? before.get(intakeId);
    const ownReason = reasonToQuarantine(transfer, "credit");
    if (!row || ownReason !== undefined || !isSameTransfer(row, transfer)) {
      const reason =
        ownReason ??
        (row
          ? "a known id with another amount, currency or account"
          : "a session credited under another id of the bank");
      return { answer: { intakeId, status: "quarantined" }, quarantined: { ...transfer, reason } };
    }
    const isFirst = unclaimed.delete(intakeId);
    const status = isFirst ? (row.merchantId === null ? "unallocated" : "accepted") : "duplicate";
    return { answer: { intakeId, status }, ...(!areSameCharges(row, transfer) && { recharged: transfer }) };
  });
}
