import { DATABASE_SETTINGS, loadConfig, MacKeys, PROCESS_SETTINGS, PUBLISHER_SETTINGS } from "@collect/runtime";
import { z } from "zod";

const Naira = z.coerce.number().int().min(0).max(10_000_000_000);

export const Config = z.object({
  ...DATABASE_SETTINGS,
  ...PUBLISHER_SETTINGS,
  ...PROCESS_SETTINGS,
  /** The key that proves which facts about money are those of accounts: `id:key[,id:key]`, the first signs. */
  FACT_KEY: MacKeys,
  /** The key that proves payments and the ledger to each other when a payout is reserved or booked. */
  PAYOUT_KEY: MacKeys,
  /** The key that proves orders of payouts and keys among the gateway, the dashboard, payments and the ledger: `id:key[,id:key]`. */
  ORDER_KEY: MacKeys,
  LOG_LEVEL: z.string().default("info"),
  /** Which rows of our own accounts (bank, fees, suspense) this replica writes. Replicas that share one hot pair are slower. */
  LEDGER_SHARD: z.coerce.number().int().min(0).max(999).default(0),
  /** The former name: ignored, it would move every replica to shard 0. */
  LEDGER_STRIPE: z.never({ error: "is now LEDGER_SHARD" }).optional(),
  /** The limits on payouts of a merchant for whom the operator has set none, in naira. */
  PAYOUT_TRANSFER_MAX: Naira.default(100_000_000),
  PAYOUT_DAY_MAX: Naira.default(1_000_000_000),
  /** How often the self-audit runs. */
  AUDIT_EVERY_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
});
export type Config = z.infer<typeof Config>;

export const readConfig = () => loadConfig(Config, process.env);
