import { review, type Transfer } from "../domain/transfer.ts";
import { postponeFollowUp, storeFollowUp, storeVerdict } from "../store/transfer-steps.ts";
import { lineOf, payoutOf, type TransferDeps } from "../use-cases/advance-transfer.ts";

/** Asks the bank again about a transfer that ended: a reversal is found in no other way. */
export async function followUp(deps: TransferDeps, transfer: Transfer, onReversed: () => void): Promise<void> {
  const { pool, log, times } = deps;
  try {
    await reviewEnd(deps, transfer, onReversed);
  } catch (error) {
    log.warn({ ...lineOf(transfer), err: error }, "the bank is asked about the ended transfer later");
    await postponeFollowUp(pool, transfer, times.followUpAgainMs).catch(() => {
      // Without the database the lease decides when it is due.
    });
  }
}

async function reviewEnd(deps: TransferDeps, transfer: Transfer, onReversed: () => void): Promise<void> {
  const { pool, log, ledger, banks, times } = deps;
  const heard = await banks[transfer.mode].enquire(payoutOf(transfer));
  const outcome = review(transfer.status, heard);
  log.info({ ...lineOf(transfer), status: transfer.status, follow_up: transfer.followUps + 1, outcome }, "follow-up");
  if (outcome === "reversed" && heard) {
    const reason = { failureCode: heard.failureCode, failureReason: heard.failureReason };
    await storeVerdict(pool, transfer, { end: "reversed", ...reason }, 0);
    return onReversed();
  }
  if (outcome === "contradicted") {
    log.error(
      { ...lineOf(transfer), alarm: "transfer_contradicted", status: transfer.status, heard: heard?.status ?? null },
      "the bank says now that the transfer ended otherwise; the merchant's transfer stays as it was told",
    );
    // Money that left after all is the operator's to find: the ledger holds it in suspense.
    if (heard && heard.status !== "pending") await ledger.complete(transfer, heard.status);
  }
  await storeFollowUp(pool, transfer, times.followUpsMs[transfer.followUps + 1]);
}
