import { loadConfig } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  DATABASE_URL: z.string(),
  NATS_URL: z.string(),
  LOG_LEVEL: z.string().default("info"),
});
export type Config = z.infer<typeof Config>;

export const readConfig = (): Config => loadConfig(Config, process.env);
