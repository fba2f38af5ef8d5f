import type { PayoutPartner, PayoutState } from "@collect/bank";
import { refusalFor } from "@collect/bus";
import { type Mode, Problem } from "@collect/contracts";
import { failpoint } from "@collect/runtime";
import {
  type End,
  isCorrected,
  isSameResolution,
  type Resolution,
  type Transfer,
  verdictOf,
} from "../domain/transfer.ts";
import { logFields } from "../domain/transfer-record.ts";
import { isInFlight } from "../store/held-transfers.ts";
import { storeVerdict } from "../store/transfer-steps.ts";
import { claimToRepeat, storeResolution } from "../store/unanswered-payouts.ts";
import { driveTransfer, type TransferDeps } from "./advance-transfer.ts";
import { callBank, committed, enquireAbout, orderAgainFrom } from "./call-bank.ts";
import { livePayout } from "./live-payout.ts";
import { assertPayoutsRun } from "./payouts-run.ts";

export type EndDeps = TransferDeps & { worker: { wake(mode: Mode): void } };
/** As it was sent then; null if it was not listed. */
type Named = { reference: string; merchant_id: string; sent_at: string | null };

/**
 * Ends a payout as an operator found out. The bank is asked once more: if it answers, that counts and not the operator. If it
 * contradicts the operator later, the follow-up raises an alarm, and money that left after a failure is booked to suspense. A repeat
 * gets the same response.
 */
export async function endUnanswered(deps: EndDeps, payout: Named, resolution: Resolution): Promise<Transfer> {
  const { pool, times, worker, log } = deps;
  const transfer = await livePayout(pool, payout);
  if (isSameResolution(transfer.resolution, resolution) || isCorrected(transfer, resolution)) return transfer;
  const isCorrection = transfer.status === "success" && transfer.resolution !== null;
  if (!isCorrection) await assertEndsAs(deps, transfer, { payout, end: verdictOf(resolution).end });
  const known = await enquireAbout(deps, transfer).catch((error: unknown) => {
    // The operator has the answer from the bank's staff: its API may be gone for good.
    log.warn({ ...logFields(transfer), err: error }, "the bank does not answer; an operator ends the transfer");
    return undefined;
  });
  if (isCorrection) return correct(deps, transfer, { state: known?.state, resolution });
  if (known && known.state.status !== "pending") throw answered(known.state.status);
  if (known && !known.state.isUncertain && resolution.bank_reference === null) throw inProgress();
  const ended = await storeResolution(pool, transfer, { resolution, sinceMs: times.unknownAfterMs });
  if (ended) failpoint("resolved");
  const current = ended ?? (await livePayout(pool, payout));
  if (!isSameResolution(current.resolution, resolution)) throw tooEarly();
  worker.wake("live");
  return current;
}

/** Nothing else ends it than what the ledger booked first: a restored database may have lost that. */
async function assertEndsAs(
  { ledger }: EndDeps,
  transfer: Transfer,
  { payout, end }: { payout: Named; end: End },
): Promise<void> {
  assertUnanswered(transfer, payout);
  const first = (await ledger.booked(transfer))?.first_end ?? end;
  if (first !== end) throw bookedAs(first);
}

/** What an operator ended as paid, and the bank says by now has failed, is reversed: the money returns to the merchant. */
async function correct(
  { pool, worker }: EndDeps,
  transfer: Transfer,
  { state, resolution }: { state: PayoutState | undefined; resolution: Resolution },
): Promise<Transfer> {
  if (resolution.bank_reference !== null || state?.status !== "failed")
    throw new Problem("conflict", "This transfer was ended as paid, and the bank does not say that it failed.");
  const { failureCode, failureReason } = state;
  const reversed = await storeVerdict(pool, transfer, { end: "reversed", failureCode, failureReason }, 0);
  if (!reversed) throw tooEarly();
  worker.wake("live");
  return reversed;
}

/**
 * Orders a payout from the bank again, under the same id, if the bank cannot say that it never received it: such a bank refuses the id
 * a second time. Undefined if it is pending again. As when a transfer is first sent, the claim is committed, then the merchant's
 * standing is read, and then the bank is called.
 */
export async function repeatUnanswered(deps: EndDeps, payout: Named): Promise<Transfer | undefined> {
  const { pool, times } = deps;
  await assertPayoutsRun(pool);
  const transfer = await livePayout(pool, payout);
  assertUnanswered(transfer, payout);
  await assertStillOrdered(deps, transfer);
  await assertMayPay(deps, transfer);
  const partner = await partnerThatRefusesRepeats(deps, transfer);
  const claim = { partner: partner.id, leaseMs: times.leaseMs, sinceMs: times.unknownAfterMs };
  const claimed = committed(await claimToRepeat(pool, transfer, claim));
  if (!claimed) throw tooEarly();
  await assertMayPay(deps, claimed);
  if (!(await isInFlight(pool, claimed, times.leaseMs))) throw tooEarly();
  const decided = await callBank(deps, claimed, () => orderAgainFrom(partner, claimed));
  if (decided) await driveTransfer(deps, decided);
  return decided;
}

/**
 * A restored database may have lost that the ledger returned the money, and whether a second person approved it. Only this row can
 * bring about an end, and a claim finds it unchanged, so none is booked in between.
 */
async function assertStillOrdered({ ledger }: EndDeps, transfer: Transfer): Promise<void> {
  const booked = await ledger.booked(transfer);
  if (!booked?.reserved) throw new Problem("conflict", "The ledger holds no money for this transfer.");
  if (booked.first_end) throw bookedAs(booked.first_end);
  if (transfer.approval === "approved") return;
  if (transfer.approval !== null || booked.approval_required)
    throw new Problem("conflict", "This transfer was never approved here. End it as failed.");
}

async function assertMayPay({ standings }: EndDeps, { merchantId }: Transfer): Promise<void> {
  const refused = refusalFor(await standings.read(merchantId));
  if (refused) throw refused;
}

async function partnerThatRefusesRepeats(deps: EndDeps, transfer: Transfer): Promise<PayoutPartner> {
  const known = await enquireAbout(deps, transfer);
  if (!known)
    throw new Problem(
      "conflict",
      "The bank does not know this transfer. It fails by itself, and can then be ordered anew.",
    );
  const { partner, state } = known;
  if (state.status !== "pending") throw answered(state.status);
  if (!state.isUncertain) throw inProgress();
  // One that does not know it now may be mistaken for a moment.
  const candidates = transfer.partner === null ? deps.partners[transfer.mode].all : known.candidates;
  if (candidates.length > 1) throw mayBeElsewhere(candidates);
  return partner;
}

function assertUnanswered({ step, verdict, sentAt }: Transfer, payout: Named): void {
  if (step === "sending" && sentAt === payout.sent_at) return;
  if (step === "sending") throw tooEarly();
  throw new Problem("conflict", verdict ? `This transfer has ended as ${verdict}.` : "This transfer was not sent.");
}

const inProgress = () =>
  new Problem("conflict", "The bank has this transfer and does not say how it ended. Wait for its answer.");
const mayBeElsewhere = (candidates: readonly PayoutPartner[]) =>
  new Problem(
    "conflict",
    `It is not known which partner has this transfer: ${candidates.map(({ name }) => name).join(" and ")} may each have it, and at another one it could be paid twice. Ask the staff of each of them, and end it.`,
  );
const bookedAs = (end: End) =>
  new Problem("conflict", `The ledger has booked this transfer as ${end}. End it as that, and do not order it again.`);
const answered = (status: string) =>
  new Problem("conflict", `The bank now says how this transfer ended: ${status}. That is recorded within a minute.`);
const tooEarly = () =>
  new Problem("conflict", "This transfer has ended, or was sent a short time ago. Look at it again before you decide.");
