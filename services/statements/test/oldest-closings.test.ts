import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createPool, type Pool, provision } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

const migrations = join(import.meta.dirname, "../prisma/migrations");
const admin = process.env.TEST_DATABASE_URL ?? "";
const NAME = "statements_oldest_closings";
const CHARGES_ARE_BOOKED = "20261201010000";
const ACCOUNT = "1234567890";
const connect = (url: string) =>
  createPool({ url, service: "statements", log: createLogger("statements", "silent"), max: 1 });
let owner: Pool;

async function apply(isMeant: (name: string) => boolean): Promise<void> {
  const names = (await readdir(migrations)).filter((name) => /^\d/.test(name) && isMeant(name)).sort();
  for (const name of names) await owner.query(await readFile(join(migrations, name, "migration.sql"), "utf8"));
}

beforeAll(async () => {
  const { owner: url } = await provision(admin, "statements", { database: NAME });
  owner = connect(url);
  await apply((name) => name < CHARGES_ARE_BOOKED);
  const hash = "a".repeat(64);
  await owner.query("insert into bank_accounts (number, bank, pays_out) values ($1, '058', true)", [ACCOUNT]);
  await owner.query("insert into files (hash, name, imported_by) values ($1, 'x', 'ada')", [hash]);
  await owner.query(
    `insert into statements (account, file, number, from_on, to_on, opening, closing, line_count)
     values ($1, $2, '1', '2026-10-01', '2026-10-02', 0, -105, 3)`,
    [ACCOUNT, hash],
  );
  await owner.query(
    `insert into lines (id, statement_id, position, part, account, booked_on, value_on, amount, refs, narration, is_charge)
     overriding system value select id, (select min(id) from statements), id, 0, $1, '2026-10-01', '2026-10-01', amount, '{}', 'FEE', true
     from (values (1, -70), (2, -5), (3, -30)) as line (id, amount)`,
    [ACCOUNT],
  );
  const items = [
    { key: "line:1", class: "charge", account: ACCOUNT, amount: "-70" },
    { key: "line:2", class: "charge", account: ACCOUNT, amount: "-5" },
    { key: "line:3", class: "bank_only", account: ACCOUNT, amount: "-30" },
  ];
  await owner.query("insert into closings (day, sheet, closed_by) values ('2026-10-01', $1, 'bola')", [
    JSON.stringify({ items }),
  ]);
  await owner.query("insert into matches (id, evidence) values (2, 'reference')");
  await owner.query("update lines set match_id = 2 where id = 2");
  await apply((name) => name >= CHARGES_ARE_BOOKED);
});
afterAll(async () => {
  await owner?.end();
  const dropper = connect(admin);
  await dropper.query(`drop database if exists ${NAME} with (force)`);
  await dropper.end();
});

test("a day that was closed with an item for each charge is booked without what was matched since, and the others are counted", async () => {
  const { rows } = await owner.query("select charges::text[], charge_totals from closings");
  expect(rows).toEqual([{ charges: ["1", "2"], charge_totals: { [ACCOUNT]: 70 } }]);
  await owner.query("insert into matches (id, evidence) values (1, 'reference')");
  await expect(owner.query("update lines set match_id = 1 where id = 1")).rejects.toThrow(/is closed/);
});

test("a closing is still only undone", async () => {
  await expect(owner.query("update closings set charges = '{}'")).rejects.toThrow(/only undone/);
});
