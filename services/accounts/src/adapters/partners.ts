import { createLocalPartner, createMonnify, createProvidus, defaultPartner, settingsOf } from "@collect/bank";
import { type Config, PARTNERS } from "../config.ts";
import type { IssuingPartner, Partners } from "../domain/partners.ts";

/** The partners of the environment. */
export function createPartners(config: Config, now: () => Promise<Date>): Partners {
  const common = { timeoutMs: config.BANK_TIMEOUT_MS, now };
  const each = [localPartner(config, common), providus(config, common), monnify(config, common)];
  const all = each.filter((partner) => partner !== undefined);
  return { all, standard: defaultPartner(all, config), own: config.BANK_CODE };
}

type Common = { timeoutMs: number; now: () => Promise<Date> };

function localPartner(config: Config, common: Common): IssuingPartner | undefined {
  const local = settingsOf(config, PARTNERS.local);
  if (!local) return undefined;
  const { BANK_CODE: code, BANK_NAME: name, BANK_URL: url, BANK_API_SECRET, BANK_DOOR_SECRET: doorSecrets } = local;
  return createLocalPartner({ ...common, code, name, url, secret: BANK_API_SECRET[0], doorSecrets });
}

function providus(config: Config, { timeoutMs }: Common): IssuingPartner | undefined {
  const given = settingsOf(config, PARTNERS.providus);
  if (!given) return undefined;
  const { PROVIDUS_URL: url, PROVIDUS_CLIENT_ID: clientId } = given;
  const [clientSecret, ...formerClientSecrets] = given.PROVIDUS_CLIENT_SECRET;
  const { PROVIDUS_BUSINESS_NAME: businessName } = config;
  const credentials = { clientId, clientSecret, formerClientSecrets };
  return createProvidus({ url, ...credentials, timeoutMs, ...(businessName && { businessName }) });
}

function monnify(config: Config, common: Common): IssuingPartner | undefined {
  const given = settingsOf(config, PARTNERS.monnify);
  if (!given) return undefined;
  const { MONNIFY_URL: url, MONNIFY_API_KEY: apiKey, MONNIFY_CONTRACT_CODE: contractCode } = given;
  const [secretKey, ...formerSecretKeys] = given.MONNIFY_SECRET_KEY;
  const partner = createMonnify({ ...common, url, apiKey, secretKey, formerSecretKeys, contractCode });
  return { ...partner, businessIdentity: { bvn: given.MONNIFY_BUSINESS_BVN } };
}
