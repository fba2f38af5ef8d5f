import pg from "pg";

/**
 * Creates a service's database, and the role that holds its privileges: the migrations grant them to it, and no other role
 * may connect. No process logs in as that role; `openLogin` makes the logins that are its members. Idempotent: repeated beside
 * running services, it changes nothing. `admin` is the server's URL with a user who may create both. Returns the URL with which
 * the database is migrated.
 */
export async function provision(
  admin: string,
  service: string,
  { database = databaseOf(service) } = {},
): Promise<{ owner: string }> {
  const role = databaseOf(service);
  await asAdmin(admin, async (client) => {
    const { rowCount: roles } = await client.query("select 1 from pg_roles where rolname = $1", [role]);
    if (!roles) await client.query(`create role ${role} nologin`);
    const { rowCount: databases } = await client.query("select 1 from pg_database where datname = $1", [database]);
    if (!databases) await client.query(`create database ${database}`);
    await restrict(client, database, role);
  });
  return { owner: addressOf(admin, database) };
}

/** A role that processes of one service connect as. */
export type Login = { role: string; password: string };

/**
 * A service has two logins with the same privileges, of which one is in use: the other one gets the next password, the
 * processes change over to it one by one, and then the first is closed.
 */
export type LoginName = "a" | "b";
export const loginOf = (service: string, name: LoginName): string => `${databaseOf(service)}_${name}`;

/**
 * Makes a login with this password, and leaves one alone that has it already. A login that is in use with another password
 * keeps that: processes could otherwise no longer connect. The database must exist.
 */
export async function openLogin(admin: string, service: string, { role, password }: Login): Promise<void> {
  const parent = databaseOf(service);
  await asAdmin(admin, async (client) => {
    const { rows } = await client.query("select rolcanlogin as is_open from pg_roles where rolname = $1", [role]);
    const [present] = rows;
    if (present?.is_open && !(await isRefused(addressOf(admin, parent, { role, password })))) return;
    const { rowCount: sessions } = await client.query("select 1 from pg_stat_activity where usename = $1", [role]);
    if (sessions) throw new Error(`the login ${role} is in use with another password: ${CHANGE_OVER}`);
    const word = client.escapeLiteral(password);
    await client.query(`${present ? "alter" : "create"} role ${client.escapeIdentifier(role)} login password ${word}`);
    await client.query(`grant ${parent} to ${client.escapeIdentifier(role)}`);
  });
}

const CHANGE_OVER = "give the new password to the service's other login, and the processes that login";

/** No process can log in as this role any more; open connections stay open. */
export async function closeLogin(admin: string, role: string): Promise<void> {
  await asAdmin(admin, async (client) => {
    const { rowCount } = await client.query("select 1 from pg_roles where rolname = $1 and rolcanlogin", [role]);
    if (rowCount) await client.query(`alter role ${client.escapeIdentifier(role)} nologin`);
  });
}

export async function restrict(client: pg.Client, database: string, role: string): Promise<void> {
  await client.query(`revoke connect, temporary on database ${database} from public`);
  await client.query(`grant connect on database ${database} to ${role}`);
}

/** The name of a service's database, and of the role that holds its privileges. */
export function databaseOf(service: string): string {
  return `collect_${service}`;
}

export function addressOf(admin: string, database: string, login?: Login): string {
  const url = new URL(admin);
  url.pathname = `/${database}`;
  if (login) {
    url.username = login.role;
    url.password = login.password;
  }
  return url.href;
}

/** One after another: two processes may provision one server concurrently (a stack and a test run). */
async function asAdmin(admin: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext('collect.provision'))");
    await work(client);
  } finally {
    await client.end();
  }
}

/** Whether the server refuses the password. If it refuses something else, the password is not the reason to change it. */
async function isRefused(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === WRONG_PASSWORD;
  } finally {
    await client.end().catch(() => {});
  }
}

const WRONG_PASSWORD = "28P01";
