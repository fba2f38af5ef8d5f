import type { Bus, Epochs } from "@collect/bus";
import type { Mode } from "@collect/contracts";
import { type ByMode, type Pool, type Transaction, transaction } from "@collect/database";
import { createGroupCommit, failpoint, type Logger } from "@collect/runtime";
import { areSameCharges, type ReportedTransfer, reasonToQuarantine } from "../domain/intake.ts";
import { ownBankIn, type Partners } from "../domain/partners.ts";
import {
  admissionOf,
  CREDIT_CAME,
  CREDIT_IS_MISSING,
  isSameReversal,
  NAMES_NO_CREDIT,
  reversalIdsOf,
} from "../domain/reversal.ts";
import { quarantineTransfers } from "../store/inbound-transfers.ts";
import {
  admitReversal,
  insertReversal,
  lockCredit,
  lockUndecided,
  missCredit,
  type Reversal,
  type ReversalRow,
  readReversal,
  refuseReversal,
} from "../store/reversals.ts";
import { type IntakeResult, logQuarantined, logRecharged, rethrow, unavailable } from "./intake-results.ts";
import { publishReversals } from "./publish-reversals.ts";

type Deps = {
  bus: Bus;
  log: Logger;
  intakeKey: string;
  epochs: Pick<Epochs, "isCurrent">;
  ownBank: Partners["own"];
};

/** They are rare: as many wait as a bank sends at once, and a refused bank repeats its report. */
const BATCH_MAX = 20;
const QUEUE_MAX = 500;

export type TakeReversal = (report: ReportedTransfer) => Promise<IntakeResult>;

/** Commits what the bank took back, before it is answered. Each report is a transaction of its own. */
export function createTakeReversal({ pools, ...deps }: Deps & { pools: ByMode<Pool> }): TakeReversal {
  const queueOf = (mode: Mode) =>
    createGroupCommit({
      name: `reversals.${mode}`,
      commit: async (reports: ReportedTransfer[]) => {
        const results: IntakeResult[] = [];
        for (const report of reports) results.push(await takeReversal(pools[mode], deps, report));
        return results;
      },
      batchMax: BATCH_MAX,
      queueMax: QUEUE_MAX,
      refuse: unavailable,
    });
  const queues = { live: queueOf("live"), test: queueOf("test") };
  return (report) => queues[report.mode](report).catch(rethrow);
}

async function takeReversal(pool: Pool, deps: Deps, report: ReportedTransfer): Promise<IntakeResult> {
  const { bus, log, intakeKey, epochs, ownBank } = deps;
  const reversal = { ...report, ...reversalIdsOf(intakeKey, report) };
  const { reversalId: intakeId } = reversal;
  const reason = reasonToQuarantine(report, "reversal");
  // A database that may have lost credits and reversals knows neither whether the credit is there nor how much of it is left.
  const mayAdmit = epochs.isCurrent();
  const taken = reason
    ? { ...report, refused: reason }
    : await transaction(pool, (tx) => commit(tx, reversal, mayAdmit));
  if (typeof taken === "object") {
    const { refused, accountNumber } = taken;
    await quarantineTransfers(pool, [{ ...report, accountNumber, reason: refused }], ownBankIn(report.mode, ownBank));
    logQuarantined(log, { intake_id: intakeId, mode: report.mode, type: report.type, reason: refused });
    return { intakeId, status: "quarantined" };
  }
  failpoint("committed");
  if (taken === "recharged") logRecharged(log, { intake_id: intakeId, mode: report.mode });
  if (taken === "admitted")
    void publishReversals({ pool, bus }, [intakeId]).catch((err) =>
      log.warn({ intake_id: intakeId, err }, "a reversal is not published yet"),
    );
  return { intakeId, status: taken === "admitted" || taken === "waits" ? "accepted" : "duplicate" };
}

/** `recharged`: a duplicate with other charges than those that are booked. */
type Taken = "admitted" | "waits" | "duplicate" | "recharged" | { refused: string; accountNumber: string };

async function commit(tx: Transaction, report: Reversal, mayAdmit: boolean): Promise<Taken> {
  const credit = await lockCredit(tx, report.creditId);
  const reversal = { ...report, accountNumber: report.accountNumber || (credit?.accountNumber ?? "") };
  const known = await readReversal(tx, reversal);
  if (known) return asRepeat(known, reversal);
  if (!credit && !reversal.reverses && mayAdmit) return { ...reversal, refused: NAMES_NO_CREDIT };
  const admission = admissionOf(reversal, credit);
  if (typeof admission === "object") return { ...reversal, ...admission };
  if (!(await insertReversal(tx, reversal, credit?.merchantId ?? null))) {
    // Of a credit that is not known nothing is locked.
    const first = await readReversal(tx, reversal);
    if (!first) throw new Error(`reversal ${reversal.reversalId} was neither committed nor found`);
    return asRepeat(first, reversal);
  }
  if (admission === "waits" || !credit || !mayAdmit) return "waits";
  await admitReversal(tx, reversal, credit);
  return "admitted";
}

function asRepeat(known: ReversalRow, reversal: Reversal): Taken {
  if (!isSameReversal(known, reversal))
    return { ...reversal, refused: "a known reversal with another amount, account or transfer" };
  if (known.refused !== null) return { ...reversal, refused: known.refused };
  return areSameCharges(known, reversal) ? "duplicate" : "recharged";
}

/**
 * Decides on a reversal that waited for its credit. One whose credit is overdue is quarantined, for a person to ask the bank, and goes
 * on waiting. A repeat changes nothing.
 */
export async function decideReversal(
  { pool, log, ownBank }: { pool: Pool } & Pick<Deps, "log" | "ownBank">,
  { reversalId, creditId }: { reversalId: string; creditId: string },
): Promise<void> {
  const quarantined = await transaction(pool, async (tx) => {
    const credit = await lockCredit(tx, creditId);
    const reversal = await lockUndecided(tx, reversalId);
    if (!reversal) return undefined;
    if (!credit)
      return (await missCredit(tx, reversalId))
        ? quarantine(tx, reversal, { reason: CREDIT_IS_MISSING, ownBank })
        : undefined;
    const admission = admissionOf(reversal, credit);
    if (admission === "waits") return undefined;
    if (admission === "admitted") {
      await admitReversal(tx, reversal, credit);
      if (reversal.missedAt !== null) await quarantine(tx, reversal, { reason: CREDIT_CAME, ownBank });
      return undefined;
    }
    await refuseReversal(tx, reversalId, admission.refused);
    return quarantine(tx, reversal, { reason: admission.refused, ownBank });
  });
  if (quarantined) logQuarantined(log, quarantined);
}

async function quarantine(
  tx: Transaction,
  reversal: ReversalRow,
  { reason, ownBank }: { reason: string } & Pick<Deps, "ownBank">,
) {
  const { reversalId, mode } = reversal;
  const payer = { name: "", accountNumber: null, bankName: null };
  const report = { ...reversal, type: "reversal", currency: "NGN", narration: null, paidAt: null, payer };
  await quarantineTransfers(tx, [{ ...report, reason }], ownBankIn(mode, ownBank));
  return { intake_id: reversalId, mode, type: report.type, reason };
}
