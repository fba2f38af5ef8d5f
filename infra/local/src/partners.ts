import type { Bus } from "@collect/bus";
import { listPartners } from "@collect/contracts";
import { poll } from "./demo-client.ts";
import type { Secrets } from "./secrets.ts";
import type { BankName, Settings } from "./settings.ts";

type Environment = Record<string, string>;

/** The bank that speaks our own protocol. */
export const OWN_BANK = { BANK_CODE: "729", BANK_NAME: "Harbour Bank" };
/** The ids of the partners. */
const IDS: Record<BankName, string> = { local: OWN_BANK.BANK_CODE, providus: "providus", monnify: "monnify" };
/** Accounts that are kept ready at a partner that opens them ahead: more than the customers of the history. */
const POOL_LOW = 20;

/**
 * The partner banks, all simulated by one process. `BANK` is the default of live mode; the others are configured too, so that their
 * accounts go on receiving money after it has changed, and an operator can move a merchant to them.
 */
export function partnerEnvironments(
  settings: Settings,
  secrets: Secrets,
): Record<"accounts" | "payments" | "bank-simulator", Environment> {
  const simulator = `http://127.0.0.1:${settings.BANK_SIMULATOR_PORT}`;
  const own = { ...OWN_BANK, BANK_API_SECRET: secrets.bank_api_secret };
  const door = { BANK_DOOR_SECRET: secrets.bank_door_secret };
  const collections = { PROVIDUS_CLIENT_ID: "collect", PROVIDUS_CLIENT_SECRET: secrets.providus_client_secret };
  const transfers = {
    PROVIDUS_PAYOUTS_USER: "collect",
    PROVIDUS_PAYOUTS_SECRET: secrets.providus_payouts_secret,
    PROVIDUS_SOURCE_ACCOUNT_NUMBER: "1700313889",
  };
  const keys = { MONNIFY_API_KEY: "MK_LOCAL_COLLECT", MONNIFY_SECRET_KEY: secrets.monnify_secret_key };
  const contract = { MONNIFY_CONTRACT_CODE: "7059707855" };
  const wallet = { MONNIFY_SOURCE_ACCOUNT_NUMBER: "3934178936" };
  const common = {
    ...{ ...own, ...keys },
    BANK_URL: simulator,
    MONNIFY_URL: `${simulator}/monnify`,
    BANK_PARTNER: IDS[settings.BANK],
  };
  return {
    accounts: {
      ...{ ...common, ...door, ...collections, ...contract },
      PROVIDUS_URL: `${simulator}/providus`,
      PROVIDUS_BUSINESS_NAME: "MERCHANT",
      MONNIFY_BUSINESS_BVN: "22200000001",
      POOL_LOW: String(POOL_LOW),
      // As a person waits for it.
      ASK_SETTLED_AFTER_MS: "5000",
    },
    payments: {
      ...{ ...common, ...transfers, ...wallet },
      PROVIDUS_PAYOUTS_URL: `${simulator}/providus/postingrest`,
      PROVIDUS_SOURCE_ACCOUNT_NAME: "Collect Ltd",
    },
    "bank-simulator": { ...own, ...door, ...collections, ...transfers, ...keys, ...contract, ...wallet },
  };
}

/** Until live accounts can be issued: a partner with a pool has opened some. */
export async function untilAccountsReady(bus: Bus): Promise<void> {
  await poll(
    async () => (await bus.request(listPartners, {})).partners.find(({ is_default }) => is_default)?.pool?.free,
    (free = POOL_LOW) => free >= POOL_LOW,
    (free) => `the partner bank opened ${free} accounts`,
  );
}
