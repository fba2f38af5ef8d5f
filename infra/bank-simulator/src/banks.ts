import { join } from "node:path";
import type { Logger } from "@collect/runtime";
import type { SimulatedBank } from "./bank.ts";
import type { Config } from "./config.ts";
import { simulateLocalBank } from "./local/bank.ts";
import { simulateMonnify } from "./monnify/bank.ts";
import { simulateProvidus } from "./providus/bank.ts";

/** The banks that are configured. Ours is always there. */
export function banksOf(config: Config, log: Logger): SimulatedBank[] {
  const { BANK_CODE: code, BANK_NAME: name, BANK_API_SECRET: secrets, BANK_DOOR_URL: url, DATA_DIR } = config;
  const door = { url, secret: config.BANK_DOOR_SECRET[0] };
  const folder = (bank: string) => DATA_DIR && join(DATA_DIR, bank);
  const local = simulateLocalBank({ log, bank: { code, name }, secrets, door, dataDirectory: DATA_DIR });
  const [providus, monnify] = [providusAccess(config), monnifyAccess(config)];
  const further = [
    providus && simulateProvidus({ log, access: providus, doorUrl: url, dataDirectory: folder("providus") }),
    monnify && simulateMonnify({ log, access: monnify, doorUrl: url, dataDirectory: folder("monnify") }),
  ];
  return [local, ...further.filter((bank) => bank !== undefined)];
}

function providusAccess(config: Config) {
  const settings = complete(config, [
    "PROVIDUS_CLIENT_ID",
    "PROVIDUS_CLIENT_SECRET",
    "PROVIDUS_PAYOUTS_USER",
    "PROVIDUS_PAYOUTS_SECRET",
    "PROVIDUS_SOURCE_ACCOUNT_NUMBER",
  ]);
  if (!settings) return undefined;
  const { PROVIDUS_CLIENT_ID: clientId, PROVIDUS_CLIENT_SECRET: clientSecret } = settings;
  const {
    PROVIDUS_PAYOUTS_USER: userName,
    PROVIDUS_PAYOUTS_SECRET: password,
    PROVIDUS_SOURCE_ACCOUNT_NUMBER: sourceAccount,
  } = settings;
  return { clientId, clientSecret, userName, password, sourceAccount };
}

function monnifyAccess(config: Config) {
  const settings = complete(config, [
    "MONNIFY_API_KEY",
    "MONNIFY_SECRET_KEY",
    "MONNIFY_CONTRACT_CODE",
    "MONNIFY_SOURCE_ACCOUNT_NUMBER",
  ]);
  if (!settings) return undefined;
  const { MONNIFY_API_KEY: apiKey, MONNIFY_SECRET_KEY: secretKey } = settings;
  const { MONNIFY_CONTRACT_CODE: contractCode, MONNIFY_SOURCE_ACCOUNT_NUMBER: sourceAccount } = settings;
  return { apiKey, secretKey, contractCode, sourceAccount };
}

/** The settings of one bank: all of them, or none. */
function complete<Name extends keyof Config>(config: Config, names: Name[]) {
  type Complete = Config & { [Each in Name]-?: Exclude<Config[Each], undefined> };
  const isSet = (name: Name) => config[name] !== undefined;
  const isComplete = (given: Config): given is Complete => names.every((name) => given[name] !== undefined);
  if (isComplete(config)) return config;
  const present = names.find(isSet);
  if (!present) return undefined;
  const missing = names.find((name) => !isSet(name));
  throw new Error(`${missing} is missing, and ${present} is set: the settings of a bank are complete or absent`);
}
