import {
  createLocalPayoutPartner,
  createMonnifyPayoutPartner,
  createProvidusPayoutPartner,
  defaultPartner,
  type PayoutPartner,
  settingsOf,
} from "@collect/bank";
import { type Config, PARTNERS } from "../../config.ts";
import type { PayoutPartners } from "../domain/payout-partners.ts";

type Common = { timeoutMs: number; now: () => Promise<Date> };

/** The partners of the environment that pay out. Throws unless the one that sends is one of them: money never goes through another by mistake. */
export function createPayoutPartners(config: Config, now: Common["now"]): PayoutPartners {
  const common = { timeoutMs: config.BANK_TIMEOUT_MS, now };
  const each = [localPayouts(config, common), providus(config, common), monnify(config, common)];
  const all = each.filter((partner) => partner !== undefined);
  return { all, standard: defaultPartner(all, config) };
}

function localPayouts(config: Config, common: Common): PayoutPartner | undefined {
  const local = settingsOf(config, PARTNERS.local);
  if (!local) return undefined;
  const { BANK_CODE: code, BANK_NAME: name, BANK_URL: url, BANK_API_SECRET } = local;
  return createLocalPayoutPartner({ ...common, code, name, url, secret: BANK_API_SECRET[0] });
}

function providus(config: Config, { timeoutMs }: Common): PayoutPartner | undefined {
  const given = settingsOf(config, PARTNERS.providus);
  if (!given) return undefined;
  return createProvidusPayoutPartner({
    url: given.PROVIDUS_PAYOUTS_URL,
    userName: given.PROVIDUS_PAYOUTS_USER,
    password: given.PROVIDUS_PAYOUTS_SECRET,
    sourceAccountNumber: given.PROVIDUS_SOURCE_ACCOUNT_NUMBER,
    sourceAccountName: given.PROVIDUS_SOURCE_ACCOUNT_NAME,
    timeoutMs,
  });
}

function monnify(config: Config, common: Common): PayoutPartner | undefined {
  const given = settingsOf(config, PARTNERS.monnify);
  if (!given) return undefined;
  const { MONNIFY_URL: url, MONNIFY_API_KEY: apiKey, MONNIFY_SECRET_KEY: secretKeys } = given;
  const access = { ...common, url, apiKey, secretKey: secretKeys[0] };
  return createMonnifyPayoutPartner({ ...access, sourceAccountNumber: given.MONNIFY_SOURCE_ACCOUNT_NUMBER });
}
