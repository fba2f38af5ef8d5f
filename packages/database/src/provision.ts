import { createHmac } from "node:crypto";
import pg from "pg";

/** Where one service's data lives: `owner` for migrations, `service` for the service itself, with the rights it was granted. */
export type ServiceDatabase = { owner: string; service: string };

/**
 * Makes the database of a service and the role it runs as, if they are not there: the migration grants the role its rights,
 * and nobody else may connect. Repeatable. `admin` is the address of a server as a user who may create both.
 */
export async function provision(
  admin: string,
  service: string,
  database = databaseOf(service),
): Promise<ServiceDatabase> {
  const role = databaseOf(service);
  const password = passwordOf(admin, role);
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    // Two processes may provision one server at once (a stack and a test run).
    await client.query("select pg_advisory_lock(hashtext('collect.provision'))");
    const { rowCount: roles } = await client.query("select 1 from pg_roles where rolname = $1", [role]);
    await client.query(`${roles ? "alter" : "create"} role ${role} login password '${password}'`);
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

/** Name of a service's database, and of the role that it runs as. */
export function databaseOf(service: string): string {
  return `collect_${service}`;
}

/** The same on every run against one server, so that a stack and a test run can share it; it is as secret as the owner's. */
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
