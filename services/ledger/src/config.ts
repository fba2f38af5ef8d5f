import { loadConfig } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  DATABASE_URL: z.string(),
  NATS_URL: z.string(),
  LOG_LEVEL: z.string().default("info"),
  /** Which rows of our own accounts (bank, fees, suspense) this replica writes. Replicas that share one hot pair are slower. */
  LEDGER_SHARD: z.coerce.number().int().min(0).max(999).default(0),
  /** The former name: ignored, it would move every replica to shard 0. */
  LEDGER_STRIPE: z.never({ error: "is now LEDGER_SHARD" }).optional(),
  /** How often the self-audit runs. */
  AUDIT_EVERY_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
});
export type Config = z.infer<typeof Config>;

export const readConfig = () => loadConfig(Config, process.env);
