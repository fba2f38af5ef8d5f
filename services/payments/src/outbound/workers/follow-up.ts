import { review } from "../domain/transfer.ts";
import { logFields } from "../domain/transfer-record.ts";
import { type FollowUp, postponeFollowUp, storeFollowUp, storeVerdict } from "../store/transfer-steps.ts";
import type { TransferDeps } from "../use-cases/advance-transfer.ts";
import { enquireAbout } from "../use-cases/call-bank.ts";

/** Queries the bank again about a transfer that ended: a reversal is found in no other way. */
export async function followUp(deps: TransferDeps, transfer: FollowUp, onReversed: () => void): Promise<void> {
  const { pool, log, times } = deps;
  try {
    await reviewEnd(deps, transfer, onReversed);
  } catch (error) {
    log.warn({ ...logFields(transfer), err: error }, "the follow-up enquiry failed and will be retried");
    await postponeFollowUp(pool, transfer, times.followUpRetryMs).catch(() => {
      // If the database is unreachable, the lease decides when the follow-up is due again.
    });
  }
}

async function reviewEnd(deps: TransferDeps, transfer: FollowUp, onReversed: () => void): Promise<void> {
  const { pool, log, ledger, times } = deps;
  const state = (await enquireAbout(deps, transfer))?.state;
  const outcome = review(transfer, state);
  log.info(
    { ...logFields(transfer), status: transfer.status, follow_up: transfer.followUps + 1, outcome },
    "follow-up",
  );
  if (outcome === "reversed" && state) {
    const reason = { failureCode: state.failureCode, failureReason: state.failureReason };
    await storeVerdict(pool, transfer, { end: "reversed", ...reason }, 0);
    return onReversed();
  }
  // The partner's own answer can be older than its report that the transfer came back.
  if (transfer.reviewedForMs !== null && transfer.reviewedForMs <= times.reviewMs)
    return postponeFollowUp(pool, transfer, times.followUpRetryMs);
  if (outcome === "contradicted") {
    log.error(
      { ...logFields(transfer), alarm: "transfer_contradicted", status: transfer.status, heard: state?.status ?? null },
      "the bank now reports a different outcome; the transfer keeps the outcome that the merchant was notified of",
    );
    // Money that left the bank after a failure is for the operator to resolve: the ledger books it to suspense.
    if (state && state.status !== "pending") await ledger.complete(transfer, state.status);
  }
  if (transfer.reviewedForMs !== null)
    log.error(
      { ...logFields(transfer), alarm: "return_not_confirmed", partner: transfer.partner },
      "the partner said that the transfer came back, and still does not answer so",
    );
  await storeFollowUp(pool, transfer, times.followUpsMs[transfer.followUps + 1]);
}
