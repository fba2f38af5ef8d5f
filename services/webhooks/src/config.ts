import { DATABASE_SETTINGS, KeyringKeys, loadConfig, PROCESS_SETTINGS, PUBLISHER_SETTINGS } from "@collect/runtime";
import { z } from "zod";

export const Config = z.object({
  ...DATABASE_SETTINGS,
  ...PUBLISHER_SETTINGS,
  ...PROCESS_SETTINGS,
  LOG_LEVEL: z.string().default("info"),
  /** The keys that encrypt signing secrets in the database: `k2:base64,k1:base64`. The first encrypts, every one decrypts. */
  KEYRING: KeyringKeys,
  /** False while replicas of a release run that reads only secrets in clear: what is stored then stays in clear. */
  SEAL_SECRETS: z.stringbool().default(true),
  /** Accepts plain http and private addresses as webhook URLs. For the local stack and tests only. */
  ALLOW_PRIVATE_URLS: z.stringbool().default(false),
  /** Lets private URLs, too, receive events only once they have answered a challenge. */
  CONFIRM_PRIVATE_URLS: z.stringbool().default(false),
  /** The ports that webhook URLs may use. */
  WEBHOOK_PORTS: z
    .string()
    .default("443,8443")
    .transform((list) => list.split(",").map(Number))
    .pipe(z.array(z.int().min(1).max(65_535)).min(1)),
  /** How many days a merchant's response is kept beside each attempt; its status and time are kept with the delivery. */
  RESPONSE_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
});
export type Config = z.infer<typeof Config>;

export const readConfig = () => loadConfig(Config, process.env);
