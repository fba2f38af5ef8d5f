import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type BrokerUser, brokerCluster, brokerUsers, forEachUser, publicKeysOf } from "@collect/bus";
import { assertEncrypted } from "@collect/runtime";
import { readSecrets } from "./secrets.ts";

/**
 * Writes `infra/nats/users.conf` from the seeds among the secrets, and `.env` if there is one. It contains only public keys. For a broker that is
 * a cluster also `cluster.conf`, which contains the password of its routes. Each is written in place, because a broker that runs
 * has it mounted; the first is for all to read, as the broker's container is another user without the right to read all files.
 * Returns their names.
 */
export function writeUsers(root: string): string[] {
  const file = join(root, ".env");
  const settings = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  const environment = { ...settings, ...readSecrets(join(root, "infra/docker/secrets")) };
  const files = { "users.conf": usersOf(environment), "cluster.conf": clusterOf(environment) };
  return Object.entries(files).flatMap(([name, text]) => {
    if (text === undefined) return [];
    const mode = name === "cluster.conf" ? 0o600 : 0o644;
    writeFileSync(join(root, "infra/nats", name), text, { mode });
    chmodSync(join(root, "infra/nats", name), mode);
    return [`infra/nats/${name}`];
  });
}

/**
 * `NATS_CLUSTER_SERVERS` names all servers as they reach each other, `nats-0,nats-1,nats-2`. Undefined without: a broker of
 * one server. Without a certificate all events would pass between them in clear.
 */
export function clusterOf(environment: NodeJS.Dict<string>): string | undefined {
  const { NATS_CLUSTER_SERVERS: servers, NATS_CLUSTER_PASSWORD: password = "" } = environment;
  if (!servers) return undefined;
  const routes = servers.split(",").map((server) => (server.includes(":") ? server : `${server}:${ROUTE_PORT}`));
  const certificate = certificateOf(environment);
  if (!certificate) assertEncrypted("NATS_CLUSTER_SERVERS", routes.join(), { ...environment, NODE_ENV: "production" });
  return brokerCluster({
    listen: `0.0.0.0:${ROUTE_PORT}`,
    servers: routes,
    password,
    ...(certificate && { certificate: { ...certificate, ...(environment.NATS_CA && { ca: AUTHORITY }) } }),
  });
}

const ROUTE_PORT = 6222;
const AUTHORITY = "/etc/nats/authority.pem";

const certificateOf = ({ NATS_SERVER_CERT, NATS_SERVER_KEY }: NodeJS.Dict<string>) =>
  NATS_SERVER_CERT && NATS_SERVER_KEY ? { cert: "/etc/nats/certificate.pem", key: "/etc/nats/key.pem" } : undefined;

/**
 * Each user's key is `LEDGER_NKEY_SEED`; during a rotation there is another one, `LEDGER_NKEY_SEED_NEXT`. Operators keep theirs
 * to themselves: `NATS_OPERATORS` names them with their public keys, `operator-ada:U…,operator-bola:U…`.
 */
export function usersOf(environment: NodeJS.Dict<string>): string {
  const keys = publicKeysOf(forEachUser((user) => seedsOf(user, environment)));
  for (const entry of (environment.NATS_OPERATORS ?? "").split(",").filter(Boolean)) {
    const [name = "", publicKey = ""] = entry.trim().split(":");
    keys.operators[name] = [...(keys.operators[name] ?? []), publicKey];
  }
  return brokerUsers(keys, certificateOf(environment));
}

function seedsOf(user: BrokerUser, environment: NodeJS.Dict<string>): string[] {
  const name = `${user.toUpperCase()}_NKEY_SEED`;
  const seeds = [environment[name], environment[`${name}_NEXT`]].filter((seed) => seed !== undefined);
  if (seeds.length === 0) throw new Error(`there is no secret ${name}`);
  return seeds;
}
