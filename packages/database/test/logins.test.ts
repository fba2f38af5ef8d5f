import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@collect/runtime";
import { type PostgresServer, startPostgres } from "@collect/servers";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  addressOf,
  closeLogin,
  createPool,
  databaseOf,
  isTransient,
  type Login,
  loginOf,
  openLogin,
  openOwner,
  ownerOf,
  type Pool,
  provision,
} from "../src/index.ts";

let directory: string;
let postgres: PostgresServer;
let pool: Pool;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "collect-logins-"));
  postgres = await startPostgres({ directory, port: 0, settings: { fsync: "off" } });
  pool = createPool({ url: postgres.url, service: "test", log: createLogger("database", "silent"), max: 2 });
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

describe("the logins of a service", () => {
  let created = 0;
  async function aService() {
    const name = `service${++created}`;
    await provision(postgres.url, name);
    const url = (login: Login, database = databaseOf(name)) => addressOf(postgres.url, database, login);
    return { name, url, a: { role: loginOf(name, "a"), password: "it's a password" }, b: loginOf(name, "b") };
  }
  const open = (name: string, login: Login) => openLogin(postgres.url, name, login);

  /** Connects, and stays connected until the test ends. */
  async function connect(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    onTestFinished(() => client.end().catch(() => {}));
    await client.connect();
    return client;
  }

  test("one service's login cannot connect to another's database", async () => {
    const [ledger, payments] = [await aService(), await aService()];
    await open(ledger.name, ledger.a);
    await connect(ledger.url(ledger.a));
    await expect(connect(ledger.url(ledger.a, databaseOf(payments.name)))).rejects.toThrow("permission denied");
  });

  test("no login is the role that holds the privileges, and none has more than it", async () => {
    const { name, url, a } = await aService();
    await open(name, a);
    const owner = await connect(addressOf(postgres.url, databaseOf(name)));
    await owner.query(`create table rows (id int); grant select on rows to ${databaseOf(name)}`);
    const client = await connect(url(a));
    expect((await client.query("select * from rows")).rows).toEqual([]);
    await expect(client.query("insert into rows values (1)")).rejects.toThrow("permission denied");
    await expect(client.query("create table mine (id int)")).rejects.toThrow("permission denied");
    await expect(connect(url({ ...a, role: databaseOf(name) }))).rejects.toThrow();
  });

  test("provisioning again, beside a running service and at once with itself, changes nothing", async () => {
    const { name, url, a } = await aService();
    await open(name, a);
    const verifier = async () =>
      (await pool.query("select rolpassword from pg_authid where rolname = $1", [a.role])).rows;
    const [running, before] = [await connect(url(a)), await verifier()];
    await Promise.all([1, 2, 3].flatMap(() => [provision(postgres.url, name), open(name, a)]));
    expect(await verifier()).toEqual(before);
    expect((await running.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
    await connect(url(a));
  });

  test("the owner is no superuser, and takes over what a former release created as the administrator", async () => {
    const { name, url } = await aService();
    const admin = await connect(addressOf(postgres.url, databaseOf(name)));
    await admin.query(`
      create table rows (id bigint generated always as identity, n serial);
      create sequence numbers; create view seen as select * from rows; create type kind as enum ('one');
      create function one() returns int language sql return 1`);
    const { owner } = await provision(postgres.url, name);
    await openOwner(postgres.url, name, "the owner's password");
    const login = { role: ownerOf(name), password: "the owner's password" };
    for (const each of [owner, url(login)]) {
      const client = await connect(each);
      const { rows } = await client.query(
        "select current_user as name, usesuper from pg_user where usename = current_user",
      );
      expect(rows).toEqual([{ name: ownerOf(name), usesuper: false }]);
      await client.query(
        "alter table rows add column more int; alter table rows drop column more; alter type kind rename to sort",
      );
      await client.query(
        "alter type sort rename to kind; create or replace function one() returns int language sql return 2",
      );
      await client.query("alter sequence numbers restart; create or replace view seen as select * from rows");
    }
    await expect(connect(url(login, "postgres"))).resolves.toBeDefined();
    await openOwner(postgres.url, name, "the next password");
    await expect(connect(url(login))).rejects.toThrow("password authentication failed");
  });

  test("what an owner puts into its database never runs as the administrator, whatever is set for the database", async () => {
    const { name } = await aService();
    const { owner: url } = await provision(postgres.url, name);
    const [role, owner] = [ownerOf(name), await connect(url)];
    const types = [
      ["oid", "oid"],
      ["oid", "regnamespace"],
      ["oid", "regclass"],
      ['"char"', "text"],
      ["name", "name"],
    ];
    for (const [left, right] of types)
      for (const [operator, answer] of [
        ["=", "true"],
        ["<>", "false"],
      ])
        await owner.query(`
          create or replace function public.evil(${left}, ${right}) returns boolean language plpgsql as
            $$ begin execute 'alter role ${role} superuser'; return ${answer}; end $$;
          create operator public.${operator} (leftarg = ${left}, rightarg = ${right}, function = public.evil)`);
    await provision(postgres.url, name);
    await owner.query(`alter database ${databaseOf(name)} set search_path = public, pg_catalog`);
    await provision(postgres.url, name);
    await pool.query(`alter role current_user in database ${databaseOf(name)} set search_path = public, pg_catalog`);
    await provision(postgres.url, name);
    const { rows } = await pool.query("select rolsuper from pg_roles where rolname = $1", [role]);
    expect(rows).toEqual([{ rolsuper: false }]);
  });

  test("an open login of a former release gets what this one grants, and its owner sees what it does", async () => {
    const { name, url, a } = await aService();
    await open(name, a);
    await pool.query(`revoke ${a.role} from ${ownerOf(name)}`);
    await connect(url(a));
    await open(name, a);
    const { rows } = await pool.query("select pg_has_role($1, $2, 'usage') as sees", [ownerOf(name), a.role]);
    expect(rows).toEqual([{ sees: true }]);
  });

  test("an administrator who is no superuser can provision", async () => {
    await pool.query("create role managed login password 'managed' createdb createrole");
    const managed = addressOf(postgres.url, "postgres", { role: "managed", password: "managed" });
    const { owner } = await provision(managed, "rented");
    await openOwner(managed, "rented", "the owner's password");
    for (let run = 0; run < 2; run++)
      await openLogin(managed, "rented", { role: "collect_rented_a", password: "a password" });
    const client = await connect(owner);
    await client.query("create table rows (id int); grant select on rows to collect_rented");
    const service = await connect(
      addressOf(managed, "collect_rented", { role: "collect_rented_a", password: "a password" }),
    );
    expect((await service.query("select * from rows")).rows).toEqual([]);
  });

  test("all replicas of a service together have no more connections than its login may, and the limit can be changed", async () => {
    const { name, url, a } = await aService();
    const limited = (connectionLimit: number) => openLogin(postgres.url, name, { ...a, connectionLimit });
    await limited(1);
    await connect(url(a));
    const refused = await connect(url(a)).catch((error: Error) => error);
    expect([refused, isTransient(refused)]).toEqual([expect.objectContaining({ code: "53300" }), true]);
    await limited(2);
    await connect(url(a));
  });

  test("a login in use keeps its password; the other one takes the next, and the first is closed", async () => {
    const { name, url, a, b } = await aService();
    await open(name, a);
    const running = await connect(url(a));
    await expect(open(name, { ...a, password: "the next password" })).rejects.toThrow(/in use with another password/);
    const next = { role: b, password: "the next password" };
    await open(name, next);
    // Two are valid at once: neither an old process nor a new one is refused.
    for (const login of [a, next]) await connect(url(login));
    await closeLogin(postgres.url, a.role);
    expect((await running.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
    await expect(connect(url(a))).rejects.toThrow("is not permitted to log in");
    await connect(url(next));
  });

  test("a login that was closed, or whose password was lost, is opened with another", async () => {
    const { name, url, a } = await aService();
    await open(name, a);
    await open(name, { ...a, password: "a second password" });
    await closeLogin(postgres.url, a.role);
    await open(name, { ...a, password: "a third password" });
    await connect(url({ ...a, password: "a third password" }));
    await expect(connect(url(a))).rejects.toThrow("password authentication failed");
  });
});
