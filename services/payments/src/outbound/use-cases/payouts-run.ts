import type { PayoutPartner } from "@collect/bank";
import { type MerchantScope, type Mode, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type PayoutPartners, partnerFor } from "../domain/payout-partners.ts";
import { readSwitch, readSwitchOf } from "../store/payout-switch.ts";

/** When a client asks again: the operator's stop lasts minutes or hours, not seconds. */
const RETRY_AFTER_S = 300;

/**
 * The partner that sends a merchant's payouts now. Refuses a new live order while the operator has stopped payouts, or while the partner
 * that was chosen for the merchant is not configured: no other sends them instead. Test transfers have neither.
 */
export async function payingPartner(
  { pool, partners }: { pool: Pool; partners: Record<Mode, PayoutPartners> },
  merchant: MerchantScope,
): Promise<PayoutPartner> {
  if (merchant.mode === "test") return partners.test.standard;
  const { stopped, choice } = await readSwitchOf(pool, merchant.id);
  const partner = partnerFor(partners.live, choice);
  if (stopped || !partner) throw payoutsStopped();
  return partner;
}

/** Refuses to order a live payout again while the operator has stopped them. */
export async function assertPayoutsRun(pool: Pool): Promise<void> {
  if ((await readSwitch(pool)).stopped) throw payoutsStopped();
}

const payoutsStopped = () =>
  new Problem(
    "payouts_stopped",
    "Payouts are stopped for the moment. Nothing was reserved; send the same request again later.",
    { retryAfterS: RETRY_AFTER_S },
  );
