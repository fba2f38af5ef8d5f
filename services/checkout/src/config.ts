import { loadConfig, Port } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  DATABASE_URL: z.string(),
  NATS_URL: z.string(),
  LOG_LEVEL: z.string().default("info"),
  /** The address on which payers are served. */
  HOST: z.string().default("127.0.0.1"),
  PORT: Port.default(4100),
});
export type Config = z.infer<typeof Config>;

export const readConfig = (): Config => loadConfig(Config, process.env);
