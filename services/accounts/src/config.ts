import { TrustedProxies } from "@collect/http";
import {
  DATABASE_SETTINGS,
  loadConfig,
  MacKeys,
  Port,
  PROCESS_SETTINGS,
  PUBLISHER_SETTINGS,
  SharedSecret,
} from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  ...DATABASE_SETTINGS,
  ...PUBLISHER_SETTINGS,
  ...PROCESS_SETTINGS,
  /** The key that proves to the ledger which facts about money are ours: `id:key[,id:key]`, the first signs. */
  FACT_KEY: MacKeys,
  LOG_LEVEL: z.string().default("info"),
  /** Where the bank door listens. */
  HOST: z.string().default("127.0.0.1"),
  BANK_DOOR_PORT: Port.default(4300),
  /** The proxies in front: how many, or the networks that they are in. */
  TRUSTED_PROXIES: TrustedProxies,
  /** The secret with which the partner bank signs the transfers that it reports; `new,old` while it is rotated. */
  BANK_DOOR_SECRET: SharedSecret(16),
  /** The partner bank's API, and the secret with which we sign requests to it. */
  BANK_URL: z.url(),
  BANK_API_SECRET: SharedSecret(16),
  BANK_CODE: z.string().regex(/^\d{3}(\d{3})?$/),
  BANK_NAME: z.string().min(1),
  BANK_TIMEOUT_MS: z.coerce.number().int().min(100).max(10_000).default(8_000),
  /** The key from which intake ids are derived. It must never change: a restored database would assign new ids to the same money. */
  INTAKE_KEY: z.string().min(32),
  /** How often the self-audit runs. */
  AUDIT_EVERY_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
});
export type Config = z.infer<typeof Config>;

export const readConfig = (): Config => loadConfig(Config, process.env);
