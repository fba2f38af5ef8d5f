import type { Stack } from "../stack.ts";

const [ID, SECRET, PASSWORD] = ["collect", "client-of-the-tests", "password-of-the-tests"];
const SOURCE = { PROVIDUS_SOURCE_ACCOUNT_NUMBER: "1700313889", MONNIFY_SOURCE_ACCOUNT_NUMBER: "3934178936" };
const COLLECTIONS = { PROVIDUS_CLIENT_ID: ID, PROVIDUS_CLIENT_SECRET: SECRET };
const TRANSFERS = { PROVIDUS_PAYOUTS_USER: ID, PROVIDUS_PAYOUTS_SECRET: PASSWORD };
const KEYS = { MONNIFY_API_KEY: ID, MONNIFY_SECRET_KEY: SECRET };
const CONTRACT = { MONNIFY_CONTRACT_CODE: "7" };

/** The BVN with which Monnify opens the accounts of merchants themselves. */
export const BUSINESS_BVN = "22200000001";

/** The settings of a bank simulator that is Providus and Monnify, too. */
export const SIMULATED_PARTNERS = { ...COLLECTIONS, ...TRANSFERS, ...KEYS, ...CONTRACT, ...SOURCE };

/** The settings of the services that have them as partners, beside the bank of our own protocol. */
export function partnersOf({ bankSimulatorUrl: url }: Pick<Stack, "bankSimulatorUrl">) {
  const monnify = { MONNIFY_URL: `${url}/monnify`, ...KEYS };
  return {
    accounts: {
      ...{ PROVIDUS_URL: `${url}/providus`, ...COLLECTIONS, POOL_LOW: "2", POOL_HIGH: "3" },
      ...{ ...monnify, ...CONTRACT, MONNIFY_BUSINESS_BVN: BUSINESS_BVN },
    },
    payments: {
      ...{ PROVIDUS_PAYOUTS_URL: `${url}/providus/postingrest`, ...TRANSFERS, ...monnify, ...SOURCE },
      PROVIDUS_SOURCE_ACCOUNT_NAME: "Collect Ltd",
    },
  };
}
