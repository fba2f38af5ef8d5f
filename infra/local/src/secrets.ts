import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type BrokerUser, createSeed, forEachUser } from "@collect/bus";
import { z } from "zod";
import { readJson, writeJson } from "./files.ts";

const Secrets = z.object({
  intake_key: z.string(),
  bank_door_secret: z.string(),
  bank_api_secret: z.string(),
  auth_secret: z.string(),
  /** Absent from files of an older release, like what follows. */
  transfer_key: z.string().optional(),
  /** The password of every service's login at PostgreSQL. */
  database_password: z.string().optional(),
  /** The keys that encrypt secrets in the databases of webhooks and dashboard. */
  webhooks_keyring: z.string().optional(),
  dashboard_keyring: z.string().optional(),
  fact_key: z.string().optional(),
  payout_key: z.string().optional(),
  order_key: z.string().optional(),
  /** They prove us to the simulated partners; the first and the last prove the partners to us, too. */
  providus_client_secret: z.string().optional(),
  providus_payouts_secret: z.string().optional(),
  monnify_secret_key: z.string().optional(),
  /** The private keys of the broker's users. */
  nkey_seeds: z.record(z.string(), z.string()).optional(),
});
export type Secrets = Required<Omit<z.output<typeof Secrets>, "nkey_seeds">> & {
  nkey_seeds: Record<BrokerUser, string>;
};

/** Each is created once: ids derive from two of them, and rows are encrypted with others, so they survive every restart. */
export async function loadSecrets(directory: string): Promise<Secrets> {
  const path = join(directory, "secrets.json");
  const stored = await readJson(path, Secrets);
  const secret = () => randomBytes(32).toString("hex");
  const keyring = () => `k1:${randomBytes(32).toString("base64")}`;
  const secrets = {
    intake_key: secret(),
    bank_door_secret: secret(),
    bank_api_secret: secret(),
    auth_secret: secret(),
    transfer_key: secret(),
    database_password: secret(),
    webhooks_keyring: keyring(),
    dashboard_keyring: keyring(),
    fact_key: `k1:${secret()}`,
    payout_key: `k1:${secret()}`,
    order_key: `k1:${secret()}`,
    providus_client_secret: secret(),
    providus_payouts_secret: secret(),
    monnify_secret_key: secret(),
    ...stored,
    nkey_seeds: forEachUser((user) => stored?.nkey_seeds?.[user] ?? createSeed()),
  };
  await writeJson(path, secrets);
  return secrets;
}
