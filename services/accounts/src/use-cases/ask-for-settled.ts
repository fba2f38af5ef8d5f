import type { BankReport } from "@collect/bank";
import type { Epochs } from "@collect/bus";
import { type Pool, transaction } from "@collect/database";
import { failpoint, type Logger } from "@collect/runtime";
import type { ReportedTransfer } from "../domain/intake.ts";
import { ownBankIn, type Partners, partnerOf } from "../domain/partners.ts";
import { transferOf } from "../domain/reports.ts";
import { contradictionOf } from "../domain/settled.ts";
import { quarantineTransfers } from "../store/inbound-transfers.ts";
import { claimDueTransfers, type DueTransfer, endAsking, type Waits } from "../store/settled-transfers.ts";
import type { Intake } from "./intake.ts";
import { logQuarantined } from "./intake-results.ts";

export type SettledDeps = {
  pool: Pool;
  log: Logger;
  intake: Pick<Intake, "accept">;
  partners: Partners;
  epochs: Pick<Epochs, "isCurrent">;
};

/** So many questions at once, of a batch. A batch ends before the first wait does, even if none of its questions is answered. */
export type Batch = Waits & { batchMax: number; concurrency: number };

/**
 * Asks partners for transfers that they settled and never reported, and gives what they answer to the intake, as if it had been reported: under the
 * same key, so a report that comes at the same time or later is a duplicate. What contradicts the settlement is in quarantine. Nothing is held
 * while a partner is asked, so a process that dies leaves what it claimed to be asked for again. Returns whether more may be due.
 */
export async function askForSettled(deps: SettledDeps, batch: Batch, signal: AbortSignal): Promise<boolean> {
  const { pool, log, partners, epochs } = deps;
  const banks = partners.all.filter(({ lookup }) => lookup).map(({ id }) => id);
  const claimed = await claimDueTransfers(pool, { banks, limit: batch.batchMax, ...batch });
  const asked = await askPartners(
    partners,
    claimed.filter(({ isReported }) => !isReported),
    { ...batch, signal },
  );
  const answered = asked.flatMap((each) => ("found" in each ? each : []));
  const failed = asked.flatMap((each) => ("error" in each ? each : []));
  if (failed.length > 0)
    log.warn({ transfers: failed.length, err: failed[0]?.error }, "settled transfers could not be asked for");
  if (answered.length > 0) failpoint("posted");
  // The bank may have taken its time, and accounts have been restored meanwhile.
  if (!epochs.isCurrent()) return false;
  const isDecided = await decide(deps, answered);
  return claimed.length === batch.batchMax && failed.length === 0 && isDecided;
}

type Found = { transfer: DueTransfer; found: BankReport | undefined };
type Asked = Found | { transfer: DueTransfer; error: unknown };

/** In no order; less than all if the process stops. */
async function askPartners(
  partners: Partners,
  transfers: DueTransfer[],
  { concurrency, signal }: Pick<Batch, "concurrency"> & { signal: AbortSignal },
): Promise<Asked[]> {
  const left = [...transfers];
  const asked: Asked[] = [];
  const askNext = async () => {
    for (let transfer = left.shift(); transfer && !signal.aborted; transfer = left.shift()) {
      const { bank, bankTransferId } = transfer;
      try {
        asked.push({ transfer, found: await partnerOf(partners, bank)?.lookup?.byId(bankTransferId) });
      } catch (error) {
        asked.push({ transfer, error });
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, askNext));
  return asked;
}

/** So many are in the log. */
const NAMED_MAX = 20;

/** False if the intake did not take some: they are asked for again. */
async function decide({ pool, log, intake, partners }: SettledDeps, answered: Found[]): Promise<boolean> {
  const judged = answered.map((each) => ({ ...each, reason: contradictionOf(each.transfer, each.found) }));
  const refused = judged.flatMap(({ transfer, found, reason }) => (reason ? refusalOf(transfer, found, reason) : []));
  const credits = judged.flatMap(({ transfer, found, reason }) => (found && !reason ? { transfer, found } : []));
  // The intake commits them together.
  const taken = await Promise.allSettled(
    credits.map(({ transfer, found }) => intake.accept(transferOf(transfer.bank, found))),
  );
  const accepted = taken.flatMap((each) => (each.status === "fulfilled" ? each.value.intakeId : []));
  const failures = taken.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  if (failures.length > 0)
    log.warn({ transfers: failures.length, err: failures[0] }, "settled transfers were not taken");
  if (accepted.length > 0)
    log.warn(
      { transfers: accepted.length, intake_ids: accepted.slice(0, NAMED_MAX) },
      "transfers that were settled and never reported were taken from the bank's answers",
    );
  if (accepted.length + refused.length === 0) return failures.length === 0;
  const quarantined = await transaction(pool, async (tx) => {
    const ended = await endAsking(tx, [...accepted, ...refused.map(({ intakeId }) => intakeId)]);
    const kept = refused.filter(({ intakeId }) => ended.has(intakeId));
    await quarantineTransfers(tx, kept, ownBankIn("live", partners.own));
    return kept;
  });
  for (const { intakeId, mode, type, reason } of quarantined)
    logQuarantined(log, { intake_id: intakeId, mode, type, reason });
  return failures.length === 0;
}

/** As what the settlement says where the bank says nothing. */
function refusalOf(
  { intakeId, bank, bankTransferId, amount }: DueTransfer,
  found: BankReport | undefined,
  reason: string,
): ReportedTransfer & { intakeId: string; reason: string } {
  const said = found ? transferOf(bank, found) : { ...UNKNOWN, bank, amount: amount ?? 0n };
  return { ...said, bankTransferId, intakeId, reason };
}

const UNKNOWN = {
  ...{ mode: "live" as const, type: "credit", accountNumber: "", currency: "NGN" },
  ...{ payer: { name: "", accountNumber: null, bankName: null }, narration: null, paidAt: null },
};
