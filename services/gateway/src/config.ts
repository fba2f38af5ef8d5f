import { loadConfig, Port } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  DATABASE_URL: z.string().min(1),
  NATS_URL: z.string().min(1),
  HOST: z.string().default("127.0.0.1"),
  PORT: Port.default(4000),
  /** The URL of the public documentation, returned by the index; null until there is one. */
  DOCS_URL: z.url().nullable().default(null),
  /** A request that has not been received completely by then gets 408. */
  REQUEST_TIMEOUT_MS: z.coerce.number().int().min(100).default(20_000),
  LOG_LEVEL: z.string().default("info"),
});
export type Config = z.infer<typeof Config>;

export const readConfig = () => loadConfig(Config, process.env);
