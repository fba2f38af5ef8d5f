import type { Bus } from "@collect/bus";
import { type Mode, Problem } from "@collect/contracts";
import { type ByMode, isTransient, type Pool } from "@collect/database";
import { createGroupCommit, failpoint, type Logger } from "@collect/runtime";
import { intakeIdOf, isSameTransfer, type ReportedTransfer, reasonToPark } from "../domain/intake.ts";
import {
  type Intake as IntakeRow,
  insertTransfers,
  quarantineTransfers,
  readTransfers,
  type TransferRow,
} from "../store/inbound-transfers.ts";
import { publishTransfers } from "./publish-transfers.ts";

/** What the bank is told. Whatever it is, it is committed. */
export type IntakeAnswer = { intakeId: string; status: "accepted" | "duplicate" | "quarantined" | "unallocated" };
export type Intake = {
  takeIn(transfer: ReportedTransfer): Promise<IntakeAnswer>;
  /** All of them in one commit, or none; up to 300 of one mode, answered in their order. */
  takeInAll(transfers: ReportedTransfer[]): Promise<IntakeAnswer[]>;
};

const BATCH_MAX = 300;
/** Reports that may wait for their commit; a bank that is refused tries again. */
const QUEUE_MAX = 5_000;
/** Those that come as a batch already stand in a queue of their own: a flood of them keeps no single one waiting. */
const QUEUED_BATCHES_MAX = 20;
/** Batches that may wait for the broker; beyond them the sweep sends what was committed. */
const PUBLISHING_MAX = 32;

/**
 * Takes transfers in, many in one commit: the promise on which everything else rests. Each mode has connections, queues and
 * a share of what may be published, so that a flood of test money delays no live report.
 */
export function createIntake({
  pools,
  ...deps
}: {
  pools: ByMode<Pool>;
  bus: Bus;
  log: Logger;
  intakeKey: string;
}): Intake {
  const intakes = { live: intakeOf("live", pools.live, deps), test: intakeOf("test", pools.test, deps) };
  return {
    takeIn: (transfer) => intakes[transfer.mode].takeIn(transfer),
    takeInAll: async (transfers) => {
      const [first] = transfers;
      return first ? intakes[first.mode].takeInAll(transfers) : [];
    },
  };
}

function intakeOf(
  mode: Mode,
  pool: Pool,
  { bus, log, intakeKey }: { bus: Bus; log: Logger; intakeKey: string },
): Intake {
  let publishing = 0;

  async function commit(reports: ReportedTransfer[]): Promise<IntakeAnswer[]> {
    const transfers = reports.map((report) => ({ ...report, intakeId: intakeIdOf(intakeKey, report) }));
    // Each statement may stand alone: whoever is not answered tells the same again.
    const inserted = await insertTransfers(
      pool,
      transfers.filter((transfer) => reasonToPark(transfer) === undefined),
    );
    // The others are read back in a statement of their own: a concurrent duplicate may have committed in between.
    const others = transfers.map(({ intakeId }) => intakeId).filter((intakeId) => !inserted.has(intakeId));
    const judged = judge(transfers, inserted, await readTransfers(pool, others));
    await quarantineTransfers(
      pool,
      judged.flatMap(({ quarantined }) => quarantined ?? []),
    );
    const answers = judged.map(({ answer }) => answer);
    failpoint("committed");
    for (const { quarantined } of judged)
      if (quarantined) {
        const { intakeId, mode, type, reason } = quarantined;
        log.error({ intake_id: intakeId, mode, type, reason, alarm: "quarantined" }, "transfer quarantined");
      }
    void sendOn([...inserted.values()]);
    return answers;
  }

  async function sendOn(rows: TransferRow[]): Promise<void> {
    if (publishing >= PUBLISHING_MAX) return;
    publishing++;
    try {
      await publishTransfers(bus, rows);
      failpoint("published");
    } catch (error) {
      log.warn({ err: error, transfers: rows.length }, "not published; the sweep will");
    } finally {
      publishing--;
    }
  }

  const unavailable = (cause?: unknown) =>
    new Problem("service_unavailable", "The transfer was not accepted. Send it again.", { cause });
  const orAgain = (error: unknown) => {
    throw isTransient(error) ? unavailable(error) : error;
  };
  const one = createGroupCommit({
    name: `intake.${mode}`,
    commit,
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
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
    takeIn: (transfer) => one(transfer).catch(orAgain),
    takeInAll: (transfers) => many(transfers).catch(orAgain),
  };
}

type Judged = { answer: IntakeAnswer; quarantined?: IntakeRow & { reason: string } };

/** What each report is, in order: the first of a new id is accepted, the same again is a duplicate, anything else is quarantined. */
function judge(transfers: IntakeRow[], inserted: Map<string, TransferRow>, before: Map<string, TransferRow>): Judged[] {
  const unanswered = new Set(inserted.keys());
  return transfers.map((transfer) => {
    const { intakeId } = transfer;
    const row = inserted.get(intakeId) ?? before.get(intakeId);
    const parked = reasonToPark(transfer);
    if (!row || parked !== undefined || !isSameTransfer(row, transfer)) {
      const reason = parked ?? "a known id with another amount, currency or account";
      return { answer: { intakeId, status: "quarantined" }, quarantined: { ...transfer, reason } };
    }
    const isFirst = unanswered.delete(intakeId);
    const status = isFirst ? (row.merchantId === null ? "unallocated" : "accepted") : "duplicate";
    return { answer: { intakeId, status } };
  });
}
