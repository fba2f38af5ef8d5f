import { randomBytes } from "node:crypto";
import { addressOf, databaseOf, type Login, migrate, openLogin, provision, restrict } from "@collect/database";
import pg from "pg";

/** A database that one test file owns, cloned from a template that is migrated once per run. */
export type TestDatabase = { service: string; owner: string; drop(): Promise<void> };

export async function freshDatabase(options: { service: string; directory: string }): Promise<TestDatabase> {
  const admin = process.env.TEST_DATABASE_URL;
  if (!admin)
    throw new Error(
      "TEST_DATABASE_URL is not set: does this vitest configuration use withServers() of packages/testing?",
    );
  const template = `template_${options.service}`;
  const name = `test_${options.service}_${randomBytes(6).toString("hex")}`;
  // A login of its own: the server may also have the logins of a stack.
  const login: Login = { role: name, password: randomBytes(16).toString("hex") };
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    // One file creates the template, the others wait for it; cloning requires that no session is connected to it.
    await client.query("select pg_advisory_lock(hashtext($1))", [template]);
    const { owner } = await provision(admin, options.service, { database: template });
    await migrate({ url: owner, directory: options.directory });
    await client.query(`create database ${name} template ${template}`);
    await restrict(client, name, databaseOf(options.service));
  } finally {
    await client.end();
  }
  await openLogin(admin, options.service, login);
  return {
    service: addressOf(admin, name, login),
    owner: addressOf(admin, name),
    async drop() {
      const dropper = new pg.Client({ connectionString: admin });
      await dropper.connect();
      await dropper.query(`drop database ${name} with (force)`);
      await dropper.query(`drop role ${name}`);
      await dropper.end();
    },
  };
}
