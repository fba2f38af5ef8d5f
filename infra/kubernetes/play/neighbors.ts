import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brokerUsers, createSeed, forEachUser, publicKeysOf } from "@collect/bus";
import type { Authority } from "@collect/servers";
import { z } from "zod";
import type { Manifest } from "../test/manifests.ts";
import { docker, until } from "./engine.ts";

const Cluster = z.object({
  bootstrap: z.object({
    initdb: z.object({ database: z.string(), owner: z.string(), postInitApplicationSQL: z.array(z.string()) }),
  }),
  managed: z.object({
    roles: z.array(
      z.object({
        name: z.string(),
        login: z.boolean(),
        connectionLimit: z.number().default(-1),
        inRoles: z.array(z.string()),
      }),
    ),
  }),
});

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
  await createRoles(name, Cluster.parse(cluster.spec), place.password);
  await encrypt(name, host, place);
}

/** In the operator's order: what the database is created with, then the managed roles. */
async function createRoles(name: string, { bootstrap, managed }: z.infer<typeof Cluster>, password: string) {
  const { database, owner, postInitApplicationSQL } = bootstrap.initdb;
  await sql(name, "postgres", `create role ${owner} login password '${password}'`);
  await sql(name, "postgres", `create database ${database} owner ${owner}`);
  for (const statement of postInitApplicationSQL) await sql(name, database, statement);
  for (const { name: role, login, connectionLimit, inRoles } of managed.roles) {
    const can = login ? `login password '${password}' connection limit ${connectionLimit}` : "nologin";
    await sql(name, "postgres", `create role ${role} ${can} in role ${inRoles.join()}`);
  }
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
