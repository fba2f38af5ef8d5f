import { TrustedProxies } from "@collect/http";
import { BUS_SETTINGS, DATABASE_SETTINGS, loadConfig, Port, PROCESS_SETTINGS } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  ...DATABASE_SETTINGS,
  ...BUS_SETTINGS,
  ...PROCESS_SETTINGS,
  LOG_LEVEL: z.string().default("info"),
  /** The address on which payers are served. */
  HOST: z.string().default("127.0.0.1"),
  PORT: Port.default(4100),
  /** The proxies in front: how many, or the networks that they are in. */
  TRUSTED_PROXIES: TrustedProxies,
  /** The URL of the public documentation: `{DOCS_URL}/errors/{code}` is the `type` of an error. Without it an error has none. */
  DOCS_URL: z.url().nullable().default(null),
  /** How many days an unread copy of a session is kept. */
  SESSION_COPY_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
});
export type Config = z.infer<typeof Config>;

export const readConfig = (): Config => loadConfig(Config, process.env);
