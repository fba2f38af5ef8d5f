import { createLocalPartner, defaultPartner, settingsOf } from "@collect/bank";
import { type Config, PARTNERS } from "../config.ts";
import type { IssuingPartner, Partners } from "../domain/partners.ts";

/** The partners of the environment. */
export function createPartners(config: Config, now: () => Promise<Date>): Partners {
  const common = { timeoutMs: config.BANK_TIMEOUT_MS, now };
  const all = [localPartner(config, common)].filter((partner) => partner !== undefined);
  return { all, standard: defaultPartner(all, config), own: config.BANK_CODE };
}

type Common = { timeoutMs: number; now: () => Promise<Date> };

function localPartner(config: Config, common: Common): IssuingPartner | undefined {
  const local = settingsOf(config, PARTNERS.local);
  if (!local) return undefined;
  const { BANK_CODE: code, BANK_NAME: name, BANK_URL: url, BANK_API_SECRET, BANK_DOOR_SECRET: doorSecrets } = local;
  return createLocalPartner({ ...common, code, name, url, secret: BANK_API_SECRET[0], doorSecrets });
}
