import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { migrate } from "@collect/database";
import { openWorld } from "@collect/testing";
import { expect, test } from "vitest";
import { directory } from "./inbound/sessions-world.ts";

const FOLDER = join(directory, "migrations");
/** From this migration on every table may contain merchants' data. */
const SINCE = "20261121130000";

test("no migration blocks writes while it creates or drops an index: each is the only statement of its migration, and concurrent", async () => {
  const names = (await readdir(FOLDER)).filter((name) => name > SINCE && /^\d/.test(name));
  for (const name of names) {
    const sql = (await readFile(join(FOLDER, name, "migration.sql"), "utf8")).replaceAll(/^--.*$/gm, "");
    const created = new Set([...sql.matchAll(/create table (\w+)/g)].map(([, table]) => table));
    const statements = sql.split(";").filter((text) => text.trim() !== "");
    const ofTablesInUse = statements.filter((text) => {
      const table = /create (?:unique )?index.* on (\w+)/s.exec(text)?.[1];
      return table ? !created.has(table) : /drop index/.test(text);
    });
    if (ofTablesInUse.length === 0) continue;
    expect([name, statements.length], name).toEqual([name, 1]);
    expect(ofTablesInUse[0], name).toMatch(/(create (unique )?index|drop index) concurrently/);
  }
  expect(names.length).toBeGreaterThan(10);
});

test("every index that was created concurrently is valid", async () => {
  const world = await openWorld({ service: "payments", directory });
  const { rows } = await world.owner.query(
    "select indexrelid::regclass::text from pg_index where not indisvalid or not indisready",
  );
  expect(rows).toEqual([]);
  expect(await migrate({ url: world.database.owner, directory })).toEqual([]);
  await world.close();
});
