import { randomBytes } from "node:crypto";
import { addressOf, databaseOf, migrate, passwordOf, provision, restrict } from "@collect/database";
import pg from "pg";

/** A database that one test file owns, cloned from a template that is migrated once per run. */
export type TestDatabase = { service: string; owner: string; drop(): Promise<void> };

export async function freshDatabase(options: { service: string; directory: string }): Promise<TestDatabase> {
  const admin = process.env.TEST_DATABASE_URL;
  if (!admin)
    throw new Error(
      "TEST_DATABASE_URL is not set: does this vitest configuration use withServers() of packages/testing?",
    );
  const role = databaseOf(options.service);
  const template = `template_${options.service}`;
  const name = `test_${options.service}_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    // One file creates the template, the others wait for it; cloning requires that no session is connected to it.
    await client.query("select pg_advisory_lock(hashtext($1))", [template]);
    const { owner } = await provision(admin, options.service, { database: template });
    await migrate({ url: owner, directory: options.directory });
    await client.query(`create database ${name} template ${template}`);
    await restrict(client, name, role);
  } finally {
    await client.end();
  }
  return {
    service: addressOf(admin, name, role, passwordOf(admin, role)),
    owner: addressOf(admin, name),
    async drop() {
      const dropper = new pg.Client({ connectionString: admin });
      await dropper.connect();
      await dropper.query(`drop database ${name} with (force)`);
      await dropper.end();
    },
  };
}
