import { arePartnersComplete, PARTNER_SETTINGS } from "@collect/bank";
import { PersonNumber } from "@collect/contracts";
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

const Settings = z.object({
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
  ...PARTNER_SETTINGS,
  /** The secret with which the bank of our own protocol signs the transfers that it reports; `new,old` while it is rotated. */
  BANK_DOOR_SECRET: SharedSecret(16).optional(),
  /** Providus' collection service, above `/api`, and the credentials of both directions: `new,old` while the secret is replaced. */
  PROVIDUS_URL: z.url().optional(),
  PROVIDUS_CLIENT_ID: z.string().min(1).optional(),
  PROVIDUS_CLIENT_SECRET: SharedSecret(8).optional(),
  /** What the bank puts in front of the names of our accounts: `MERCHANT` in `MERCHANT(Ngozi Eze)`. Absent if it puts nothing there. */
  PROVIDUS_BUSINESS_NAME: z.string().trim().min(1).max(100).optional(),
  /** The contract under which Monnify reserves accounts, and the BVN with which it opens those of businesses. */
  MONNIFY_CONTRACT_CODE: z.string().min(1).optional(),
  MONNIFY_BUSINESS_BVN: PersonNumber.optional(),
  /** The accounts that are kept ready at a partner that opens them ahead: more are opened below `LOW`, up to `HIGH`. */
  POOL_LOW: z.coerce.number().int().min(1).max(10_000).default(20),
  POOL_HIGH: z.coerce.number().int().min(1).max(10_000).default(100),
  /** The key from which intake ids are derived. It must never change: a restored database would assign new ids to the same money. */
  INTAKE_KEY: z.string().min(32),
  /** How long after its settlement a transfer may be reported, before its partner is asked for it. */
  ASK_SETTLED_AFTER_MS: z.coerce.number().int().min(1_000).max(86_400_000).default(900_000),
  /** How often the self-audit runs. */
  AUDIT_EVERY_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
});

/** The settings of each partner. */
export const PARTNERS = {
  local: ["BANK_URL", "BANK_API_SECRET", "BANK_CODE", "BANK_NAME", "BANK_DOOR_SECRET"],
  providus: ["PROVIDUS_URL", "PROVIDUS_CLIENT_ID", "PROVIDUS_CLIENT_SECRET"],
  monnify: ["MONNIFY_URL", "MONNIFY_API_KEY", "MONNIFY_SECRET_KEY", "MONNIFY_CONTRACT_CODE", "MONNIFY_BUSINESS_BVN"],
} as const;

export const Config = Settings.refine(
  ({ POOL_LOW, POOL_HIGH }) => POOL_LOW <= POOL_HIGH,
  "POOL_HIGH must not be below POOL_LOW",
).superRefine(arePartnersComplete(PARTNERS));
export type Config = z.infer<typeof Config>;

export const readConfig = (): Config => loadConfig(Config, process.env);
