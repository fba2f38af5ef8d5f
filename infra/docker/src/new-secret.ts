import { randomBytes } from "node:crypto";
import { createSeed } from "@collect/bus";

/** A random value for a secret of docker-compose.yml, in the format that the name stands for; nothing for what another party gives. */
export function newSecret(name: string): string {
  if (name.endsWith("_URL") || /^(PROVIDUS|MONNIFY)_/.test(name)) return "";
  if (name.endsWith("_NKEY_SEED")) return createSeed();
  if (name.endsWith("_KEYRING")) return `k1:${randomBytes(32).toString("base64")}`;
  const secret = randomBytes(32).toString("hex");
  return ["FACT_KEY", "PAYOUT_KEY", "ORDER_KEY"].includes(name) ? `k1:${secret}` : secret;
}
