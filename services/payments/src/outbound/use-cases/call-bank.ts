import { type Payout, type PayoutPartner, type PayoutState, UNCERTAIN } from "@collect/bank";
import type { Mode } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { failpoint, type Logger } from "@collect/runtime";
import { type Answer, type Known, mostCertain, type PayoutPartners, partnersToAsk } from "../domain/payout-partners.ts";
import { type Transfer, verdictOn } from "../domain/transfer.ts";
import { logFields } from "../domain/transfer-record.ts";
import { type TransferTimes, waitAfter } from "../domain/transfer-times.ts";
import { postponeEnquiry, storeUnknown, storeVerdict } from "../store/transfer-steps.ts";

export type BankDeps = {
  pool: Pool;
  log: Logger;
  partners: Record<Mode, PayoutPartners>;
  times: TransferTimes;
  /** Whether this database was restored recently: the bank may then know transfers that no service does. */
  hasRecovered(): boolean;
};

/** Stores the bank's response. An error says nothing about the transfer: its status is queried later. */
export async function callBank(
  { pool, log, times }: Omit<BankDeps, "partners" | "hasRecovered">,
  transfer: Transfer,
  call: () => Promise<PayoutState | undefined>,
): Promise<Transfer | undefined> {
  const later = (isKnown: boolean) =>
    postponeEnquiry(pool, transfer, { isKnown, waitMs: waitAfter(times.enquiry, transfer.attempts) });
  let state: PayoutState | undefined;
  try {
    state = await call();
  } catch (error) {
    log.warn({ ...logFields(transfer), err: error }, "the bank did not report the state of the transfer");
    await later(false);
    return undefined;
  }
  failpoint("posted");
  const unknownForMs = state ? 0 : await storeUnknown(pool, transfer);
  const verdict = verdictOn(state, { unknownForMs, unknownAfterMs: times.unknownAfterMs });
  if (verdict) return committed(await storeVerdict(pool, transfer, verdict, times.leaseMs));
  await later(state !== undefined);
  return undefined;
}

/** What the bank knows of the transfer, or may know; undefined if it does not know it. */
export async function enquireAbout(
  { partners, hasRecovered }: Pick<BankDeps, "partners" | "hasRecovered">,
  transfer: Transfer,
): Promise<Known | undefined> {
  const asked = partnersToAsk(partners[transfer.mode], transfer, { hasRecovered: hasRecovered() });
  const answers: Answer[] = [];
  for (const partner of asked) {
    const state = await partner.payouts.enquire(payoutOf(transfer));
    if (state) answers.push({ partner, state });
  }
  return mostCertain(answers);
}

export const orderFrom = ({ payouts }: PayoutPartner, transfer: Transfer): Promise<PayoutState> =>
  payouts.pay(payoutOf(transfer));

/**
 * The same for a transfer that may have been ordered before, at a partner that refuses its id a second time. A refusal of this
 * order says nothing about the first one, not even that the bank does not have it: only an enquiry can tell how the transfer ended.
 */
export async function orderAgainFrom(partner: PayoutPartner, transfer: Transfer): Promise<PayoutState> {
  const state = await orderFrom(partner, transfer);
  return state.status === "failed" ? UNCERTAIN : state;
}

const payoutOf = ({ reference, bankCode, accountNumber, accountName, amount, narration }: Transfer): Payout => ({
  id: reference,
  bankCode,
  accountNumber,
  accountName,
  amount,
  narration,
});

/** A failpoint after each commit, where tests kill the process. */
export function committed(transfer: Transfer | undefined): Transfer | undefined {
  if (transfer) failpoint("committed");
  return transfer;
}
