import type { PayoutBank } from "@collect/bank";
import { type MerchantScope, type Mode, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { bankOf } from "../domain/banks.ts";
import { type PayoutPartners, partnerFor } from "../domain/payout-partners.ts";
import { findPayoutChoice } from "../store/payout-partner-choices.ts";

/**
 * The names of an account's bank and holder. An account number that cannot exist is refused without calling the bank.
 */
export async function resolveAccount(
  payouts: PayoutBank,
  mode: Mode,
  account: { bank_code: string; account_number: string },
): Promise<{ bank_name: string; account_name: string }> {
  const bank = bankOf(mode, account);
  const accountName = bank && (await payouts.nameOf({ bankCode: bank.code, accountNumber: account.account_number }));
  if (!bank || accountName === undefined)
    throw new Problem("account_unresolved", "This bank has no account with this number.");
  return { bank_name: bank.name, account_name: accountName };
}

/**
 * Names the holders of accounts for a merchant: the partner that sends its payouts, so that an account which that one does not pay to is
 * found out before the order. The default one, while the chosen one is not configured: no money moves by a name.
 */
export async function bankThatNames(
  { pool, partners }: { pool: Pool; partners: Record<Mode, PayoutPartners> },
  merchant: MerchantScope,
): Promise<PayoutBank> {
  const { standard } = partners[merchant.mode];
  if (merchant.mode === "test") return standard.payouts;
  return (partnerFor(partners.live, await findPayoutChoice(pool, merchant.id)) ?? standard).payouts;
}
