import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brokerUsers, createSeed, forEachUser, publicKeysOf } from "@collect/bus";
import type { Authority } from "@collect/servers";
import type { Manifest } from "../test/manifests.ts";
import { rolesAndDatabase } from "../test/roles.ts";
import { docker, until } from "./engine.ts";

type Place = { network: string; directory: string; authority: Authority; password: string };

/** PostgreSQL, as its operator makes it of a Cluster: the database, its owner and the logins, with TLS. */
export async function postgresOf(cluster: Manifest, place: Place): Promise<void> {
  const host = `${cluster.metadata.name}-rw`;
  const name = `${place.network}-postgres`;
  await docker(
    ...["run", "--detach", "--rm", "--name", name, "--network", place.network, "--network-alias", host],
    ...["--env", `POSTGRES_PASSWORD=${place.password}`, "postgres:18"],
  );
  await until("PostgreSQL", () => docker("exec", name, "pg_isready", "--host", "127.0.0.1").then(() => true));
  for (const { database, statement } of rolesAndDatabase(cluster, place.password)) await sql(name, database, statement);
  await encrypt(name, host, place);
}

/** The key is copied, because the server reads only one that belongs to its user. */
async function encrypt(name: string, host: string, { directory, authority }: Place): Promise<void> {
  const { certificate, key } = await authority.certify(host);
  for (const [file, text] of Object.entries({ "pg.crt": certificate, "pg.key": key })) {
    await writeFile(join(directory, file), text);
    await docker("cp", join(directory, file), `${name}:${DATA}/${file}`);
  }
  await docker("exec", "--user", "root", name, "sh", "-c", `cd ${DATA} && chown postgres pg.* && chmod 600 pg.*`);
  for (const setting of [`ssl_cert_file = '${DATA}/pg.crt'`, `ssl_key_file = '${DATA}/pg.key'`, "ssl = on"])
    await sql(name, "postgres", `alter system set ${setting}`);
  await sql(name, "postgres", "select pg_reload_conf()");
}

const DATA = "/var/lib/postgresql";

const sql = (name: string, database: string, statement: string) =>
  docker(
    ...["exec", "--user", "postgres", name, "psql", "--quiet", "--set", "ON_ERROR_STOP=1"],
    ...["--dbname", database, "--command", statement],
  );

/** One broker, with TLS and the generated users. Returns each user's key. */
export async function natsFor({ network, directory, authority }: Place, root: string): Promise<Record<string, string>> {
  const seeds = forEachUser(createSeed);
  const { certificate, key } = await authority.certify("nats");
  const users = brokerUsers(publicKeysOf(seeds), { cert: "/etc/nats/certificate.pem", key: "/etc/nats/key.pem" });
  const files = { "users.conf": users, "certificate.pem": certificate, "key.pem": key };
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text);
  const mounts = [
    ...Object.keys(files).map((file) => [join(directory, file), file]),
    [join(root, "infra/nats/nats.conf"), "collect.conf"],
  ];
  await docker(
    ...["run", "--detach", "--rm", "--name", `${network}-nats`, "--network", network, "--network-alias", "nats"],
    ...mounts.flatMap(([from, to]) => ["--volume", `${from}:/etc/nats/${to}:ro`]),
    ...["nats:2.12-alpine", "--jetstream", "--store_dir", "/data", "--config", "/etc/nats/collect.conf"],
  );
  return seeds;
}
