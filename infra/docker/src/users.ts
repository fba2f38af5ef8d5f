import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type BrokerUser, brokerUsers, forEachUser, publicKeysOf } from "@collect/bus";
import { readSecrets } from "./secrets.ts";

/** Writes `infra/nats/users.conf` from the seeds among the secrets, and `.env`. It contains only public keys. */
export function writeUsers(root: string): void {
  const environment = parseEnv(readFileSync(join(root, ".env"), "utf8"));
  const secrets = readSecrets(join(root, "infra/docker/secrets"));
  writeFileSync(join(root, "infra/nats/users.conf"), usersOf({ ...environment, ...secrets }));
}

/**
 * Each user's key is `LEDGER_NKEY_SEED`, and during a rotation also `LEDGER_NKEY_SEED_NEXT`. Operators keep their keys to
 * themselves: `NATS_OPERATORS` names them with their public keys, `operator-ada:U…,operator-bola:U…`.
 */
export function usersOf(environment: NodeJS.Dict<string>): string {
  const keys = publicKeysOf(forEachUser((user) => seedsOf(user, environment)));
  for (const entry of (environment.NATS_OPERATORS ?? "").split(",").filter(Boolean)) {
    const [name = "", publicKey = ""] = entry.trim().split(":");
    keys.operators[name] = [...(keys.operators[name] ?? []), publicKey];
  }
  const isEncrypted = Boolean(environment.NATS_SERVER_CERT && environment.NATS_SERVER_KEY);
  return brokerUsers(keys, isEncrypted ? { cert: "/etc/nats/certificate.pem", key: "/etc/nats/key.pem" } : undefined);
}

function seedsOf(user: BrokerUser, environment: NodeJS.Dict<string>): string[] {
  const name = `${user.toUpperCase()}_NKEY_SEED`;
  const seeds = [environment[name], environment[`${name}_NEXT`]].filter((seed) => seed !== undefined);
  if (seeds.length === 0) throw new Error(`there is no secret ${name}`);
  return seeds;
}
