import { answer, type Request, type Standings } from "@collect/bus";
import {
  listBanks,
  type Mode,
  resolveAccount as resolveAccountRequest,
  resolveSettlementAccount,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { banksOf } from "../domain/banks.ts";
import type { EnquiryLimits } from "../domain/enquiry-limits.ts";
import type { PayoutPartners } from "../domain/payout-partners.ts";
import { enquire } from "../use-cases/enquire.ts";
import { bankThatNames, resolveAccount } from "../use-cases/resolve-account.ts";

type Deps = {
  config: { TRANSFER_KEY: string };
  pool: Pool;
  partners: Record<Mode, PayoutPartners>;
  standings: Pick<Standings, "assertMayCreate">;
  enquiryLimits: EnquiryLimits;
};

export function bankRequests(deps: Deps): Request[] {
  const { partners, standings } = deps;
  return [
    answer(listBanks, async ({ merchant: { mode } }) => ({ data: [...banksOf(mode)], mode })),
    answer(resolveAccountRequest, async ({ merchant, bank_code, account_number }, context) => {
      await standings.assertMayCreate(merchant);
      const account = { bank_code, account_number };
      const payouts = await bankThatNames(deps, merchant);
      return { ...account, mode: merchant.mode, ...(await enquire(deps, { merchant, account, context, payouts })) };
    }),
    // Of a submission for verification: the gateway counts these.
    answer(resolveSettlementAccount, (account) => resolveAccount(partners.live.standard.payouts, "live", account)),
  ];
}
