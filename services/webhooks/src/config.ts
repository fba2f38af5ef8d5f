import { loadConfig } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  DATABASE_URL: z.string(),
  NATS_URL: z.string(),
  LOG_LEVEL: z.string().default("info"),
  /** Accepts plain http and private addresses as webhook URLs. For the local stack and tests only. */
  ALLOW_PRIVATE_URLS: z.stringbool().default(false),
});
export type Config = z.infer<typeof Config>;

export const readConfig = () => loadConfig(Config, process.env);
