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

/** PostgreSQL, as its operator makes it of a Cluster: the database, its owner and the logins, with TLS and no other way in. */
export async function postgresOf(
  cluster: Manifest,
  { network, directory, authority, password }: Place,
): Promise<string> {
  const host = `${cluster.metadata.name}-rw`;
  const name = `${network}-postgres`;
  await docker(
    "run",
    "--detach",
    "--rm",
    "--name",
    name,
    "--network",
    network,
    "--network-alias",
    host,
    "--env",
    `POSTGRES_PASSWORD=${password}`,
    "postgres:18",
  );
  const sql = (database: string, statement: string) =>
    docker(
      "exec",
      "--user",
      "postgres",
      name,
      "psql",
      "--quiet",
      "--set",
      "ON_ERROR_STOP=1",
      "--dbname",
      database,
      "--command",
      statement,
    );
  await until("PostgreSQL", () => docker("exec", name, "pg_isready", "--host", "127.0.0.1").then(() => true));
  const { bootstrap, managed } = Cluster.parse(cluster.spec);
  const { database, owner, postInitApplicationSQL } = bootstrap.initdb;
  await sql("postgres", `create role ${owner} login password '${password}'`);
  await sql("postgres", `create database ${database} owner ${owner}`);
  for (const statement of postInitApplicationSQL) await sql(database, statement);
  for (const { name: role, login, connectionLimit, inRoles } of managed.roles) {
    const can = login ? `login password '${password}' connection limit ${connectionLimit}` : "nologin";
    await sql("postgres", `create role ${role} ${can} in role ${inRoles.join()}`);
  }
  const { certificate, key } = await authority.certify(host);
  await writeFile(join(directory, "pg.crt"), certificate);
  await writeFile(join(directory, "pg.key"), key);
  for (const file of ["pg.crt", "pg.key"])
    await docker("cp", join(directory, file), `${name}:/var/lib/postgresql/${file}`);
  await docker(
    "exec",
    "--user",
    "root",
    name,
    "sh",
    "-c",
    "cd /var/lib/postgresql && chown postgres pg.* && chmod 600 pg.*",
  );
  for (const setting of [
    "ssl_cert_file = '/var/lib/postgresql/pg.crt'",
    "ssl_key_file = '/var/lib/postgresql/pg.key'",
    "ssl = on",
  ])
    await sql("postgres", `alter system set ${setting}`);
  await sql("postgres", "select pg_reload_conf()");
  return name;
}

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
