import pg from "pg";
import { type Patience, runScript } from "./migration-script.ts";

/**
 * Creates a service's database and its two roles: the owner, as which the database is migrated, and the one that holds the
 * privileges, which the migrations grant to it. No process logs in as the latter; `openLogin` makes the logins that are its
 * members, and no other role may connect. Idempotent: repeated beside running services, it changes nothing. `admin` is the
 * server's URL with a user who may create databases and roles. Returns the URL with which the database is migrated.
 */
export async function provision(
  admin: string,
  service: string,
  { database = databaseOf(service), ...patience }: { database?: string } & Patience = {},
): Promise<{ owner: string }> {
  const [role, owner] = [databaseOf(service), ownerOf(service)];
  await asAdmin(admin, async (client) => {
    for (const each of [role, owner]) {
      const { rowCount: roles } = await client.query("select 1 from pg_roles where rolname = $1", [each]);
      if (!roles) await client.query(`create role ${each} nologin`);
    }
    // For an administrator who is not a superuser: only a member can give the role a database.
    await client.query(`grant ${owner} to current_user`);
    const { rowCount: databases } = await client.query("select 1 from pg_database where datname = $1", [database]);
    await client.query(
      databases ? `alter database ${database} owner to ${owner}` : `create database ${database} owner ${owner}`,
    );
    await restrict(client, database, role);
  });
  const url = addressOf(admin, database);
  await giveTables(url, owner, patience);
  return { owner: asRole(url, owner) };
}

/** A role that processes of one service connect as. The limit is on the connections of all of them; without one there is none. */
export type Login = { role: string; password: string; connectionLimit?: number };

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
export async function openLogin(
  admin: string,
  service: string,
  { role, password, connectionLimit = NO_LIMIT }: Login,
): Promise<void> {
  const parent = databaseOf(service);
  await asAdmin(admin, async (client) => {
    const name = client.escapeIdentifier(role);
    const { rows } = await client.query("select rolcanlogin as is_open from pg_roles where rolname = $1", [role]);
    const [present] = rows;
    if (!present?.is_open || (await isRefused(addressOf(admin, parent, { role, password })))) {
      const { rowCount: sessions } = await client.query("select 1 from pg_stat_activity where usename = $1", [role]);
      if (sessions) throw new Error(`the login ${role} is in use with another password: ${CHANGE_OVER}`);
      const word = client.escapeLiteral(password);
      await client.query(`${present ? "alter" : "create"} role ${name} login password ${word}`);
    }
    await client.query(`grant ${parent} to ${name}`);
    // So that the owner sees which of its transactions a migration waits for.
    await client.query(`grant ${name} to ${ownerOf(service)}`);
    await client.query(`alter role ${name} connection limit ${connectionLimit}`);
  });
}

const NO_LIMIT = -1;
const CHANGE_OVER = "give the new password to the service's other login, and the processes that login";

/** Lets the migrate job log in as the owner. Only that job does, so a new password takes the place of the former at once. */
export async function openOwner(admin: string, service: string, password: string): Promise<void> {
  await asAdmin(admin, async (client) => {
    await client.query(`alter role ${ownerOf(service)} login password ${client.escapeLiteral(password)}`);
  });
}

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

/** The role that owns it. */
export const ownerOf = (service: string): string => `${databaseOf(service)}_owner`;

export function addressOf(admin: string, database: string, login?: Login): string {
  const url = new URL(admin);
  url.pathname = `/${database}`;
  if (login) {
    url.username = login.role;
    url.password = login.password;
  }
  return url.href;
}

/** The administrator's connections, in which everything is done and created as the role. */
const asRole = (url: string, role: string): string => withSetting(url, `role=${role}`);

/**
 * The administrator's connections, in which a name is PostgreSQL's own or has its schema. A database's owner can put operators and
 * functions into `public`, of which one that fits better is preferred to PostgreSQL's, and would run as the administrator. What
 * the connection asks for goes before what is set for the database or the role.
 */
const asPlain = (url: string): string => withSetting(url, "search_path=pg_catalog");

function withSetting(url: string, setting: string): string {
  const address = new URL(url);
  const others = address.searchParams.get("options") ?? "";
  address.searchParams.set("options", `${others} -c ${setting}`.trim());
  return address.href;
}

/**
 * What former releases created as the administrator, or a restore. One object at a time, each in its own transaction: a running
 * service then waits for one of them only.
 */
async function giveTables(url: string, owner: string, patience: Patience): Promise<void> {
  const pool = new pg.Pool({ connectionString: asPlain(url), max: 1 });
  try {
    const { rows } = await pool.query<{ kind: string; name: string }>(NOT_OWNED, [owner]);
    for (const { kind, name } of rows) await runScript(pool, `alter ${kind} ${name} owner to ${owner}`, patience);
  } finally {
    await pool.end();
  }
}

/** Sequences of a column follow their table, and what an extension created stays with it. */
const NOT_OWNED = `
  with own as (select $1::regrole::oid as id), extended as (select objid from pg_depend where deptype = 'e')
  select 'table' as kind, oid::regclass::text as name from pg_class, own
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and relowner <> own.id and oid not in (table extended)
  union all
  select 'sequence', oid::regclass::text from pg_class c, own
  where relnamespace = 'public'::regnamespace and relkind = 'S' and relowner <> own.id
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass)
  union all
  select 'routine', oid::regprocedure::text from pg_proc, own
  where pronamespace = 'public'::regnamespace and proowner <> own.id and oid not in (table extended)
  union all
  select 'type', oid::regtype::text from pg_type, own
  where typnamespace = 'public'::regnamespace and typtype in ('e', 'd') and typowner <> own.id and oid not in (table extended)`;

/** One after another: two processes may provision one server concurrently (a stack and a test run). */
async function asAdmin(admin: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: asPlain(admin) });
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
