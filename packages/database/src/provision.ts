import { createHmac } from "node:crypto";
import pg from "pg";

/** The URLs of one service's database: `owner` for migrations, `service` for the service itself, with only the privileges it was granted. */
export type ServiceDatabase = { owner: string; service: string };

/**
 * Creates a service's database and its role, if they do not exist: the migrations grant the role its privileges, and no other
 * role may connect. Idempotent: repeated with the same password, it disturbs no running service. `admin` is the server's URL
 * with a user who may create both.
 */
export async function provision(
  admin: string,
  service: string,
  { database = databaseOf(service), password = passwordOf(admin, databaseOf(service)) } = {},
): Promise<ServiceDatabase> {
  const role = databaseOf(service);
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    // Two processes may provision one server concurrently (a stack and a test run).
    await client.query("select pg_advisory_lock(hashtext('collect.provision'))");
    const { rowCount: roles } = await client.query("select 1 from pg_roles where rolname = $1", [role]);
    await client.query(`${roles ? "alter" : "create"} role ${role} login password ${client.escapeLiteral(password)}`);
    const { rowCount: databases } = await client.query("select 1 from pg_database where datname = $1", [database]);
    if (!databases) await client.query(`create database ${database}`);
    await restrict(client, database, role);
  } finally {
    await client.end();
  }
  return { owner: addressOf(admin, database), service: addressOf(admin, database, role, password) };
}

export async function restrict(client: pg.Client, database: string, role: string): Promise<void> {
  await client.query(`revoke connect, temporary on database ${database} from public`);
  await client.query(`grant connect on database ${database} to ${role}`);
}

/** The name of a service's database, and of its role. */
export function databaseOf(service: string): string {
  return `collect_${service}`;
}

/** Derived, so that a stack and a test run against the same server get the same one; it is as secret as the owner's password. */
export function passwordOf(admin: string, role: string): string {
  return createHmac("sha256", new URL(admin).password || "local")
    .update(role)
    .digest("hex")
    .slice(0, 32);
}

export function addressOf(admin: string, database: string, role?: string, password?: string): string {
  const url = new URL(admin);
  url.pathname = `/${database}`;
  if (role) {
    url.username = role;
    url.password = password ?? "";
  }
  return url.href;
}
