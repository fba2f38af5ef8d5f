import { SharedSecret } from "@collect/runtime";
import { z } from "zod";
import { BANK_CODE_PATTERN } from "./nuban.ts";

/**
 * The settings of the partners in every service that calls them, to be spread into its own. Those of one partner are complete or
 * absent, and at least one partner is there: `arePartnersComplete`.
 */
export const PARTNER_SETTINGS = {
  /** The bank that speaks our own protocol: its API, and the secret with which our calls to it are signed. */
  BANK_URL: z.url().optional(),
  BANK_API_SECRET: SharedSecret(16).optional(),
  BANK_CODE: z.string().regex(BANK_CODE_PATTERN).optional(),
  BANK_NAME: z.string().min(1).optional(),
  /** Monnify's API, and its keys. The secret key also signs what it reports: `new,old` while it is replaced. */
  MONNIFY_URL: z.url().optional(),
  MONNIFY_API_KEY: z.string().min(1).optional(),
  MONNIFY_SECRET_KEY: SharedSecret(16).optional(),
  /** For a complete answer of any partner. */
  BANK_TIMEOUT_MS: z.coerce.number().int().min(100).max(10_000).default(8_000),
  /** The id of the partner that live mode uses in this service where nothing else is said: the bank of our own protocol, unless it is set. */
  BANK_PARTNER: z.string().min(1).optional(),
};

type Groups = Record<string, readonly string[]>;

/** To refine the settings of a service. `groups` names those of each partner. */
export function arePartnersComplete(groups: Groups) {
  return (config: Record<string, unknown>, context: z.RefinementCtx): void => {
    const isSet = (name: string) => config[name] !== undefined;
    const complain = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: [name], message, input: undefined });
    for (const names of Object.values(groups)) {
      const present = names.find(isSet);
      if (!present) continue;
      for (const name of names)
        if (!isSet(name))
          complain(name, `is missing: ${present} is set, and the settings of a partner are complete or absent`);
    }
    const all = Object.values(groups);
    if (!all.some((names) => names.some(isSet)))
      complain(all[0]?.[0] ?? "", "is missing: at least one partner has to be configured");
  };
}

type Group<Config, Name extends keyof Config> = { [Each in Name]-?: Exclude<Config[Each], undefined> };

/** The settings of one partner; undefined if it is not configured. */
export function settingsOf<Config extends object, Name extends keyof Config>(
  config: Config,
  names: readonly Name[],
): Group<Config, Name> | undefined {
  const isComplete = (given: Config): given is Config & Group<Config, Name> =>
    names.every((name) => given[name] !== undefined);
  return isComplete(config) ? config : undefined;
}

/** The partner that is used where nothing else is said. Throws if it is not configured. */
export function defaultPartner<Partner extends { id: string }>(
  partners: readonly Partner[],
  { BANK_PARTNER, BANK_CODE }: { BANK_PARTNER?: string | undefined; BANK_CODE?: string | undefined },
): Partner {
  const id = BANK_PARTNER ?? BANK_CODE;
  const partner = partners.find((each) => each.id === id);
  if (partner) return partner;
  const ids = partners.map((each) => each.id).join(", ");
  throw new Error(`BANK_PARTNER has to be the id of a partner that is configured: ${ids}`);
}
