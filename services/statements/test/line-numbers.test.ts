import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { lockImports } from "../src/store/files.ts";
import { ACCOUNT, aDay, camtOf } from "./files.ts";
import { useStatements } from "./world.ts";

/** A line is known by its number to operators and to accounts, also after a restore: no other line ever has it. */

const world = await useStatements();

const newest = async (): Promise<bigint> =>
  (await world.owner.query("select coalesce(max(id), 0) as id from lines")).rows[0].id;
const importOf = (account: string, lines: number) => {
  const day = aDay(
    "2026-10-12",
    0n,
    Array.from({ length: lines }, () => ({ amount: 1n })),
  );
  return world.importFile(new TextEncoder().encode(camtOf([day]).replaceAll(ACCOUNT, account)));
};
const restore = () => world.owner.query("alter table lines alter column id restart");

test("after a restore no line gets the number of one that was lost, which an operator may still offer", async () => {
  await world.declareAccount();
  await importOf(ACCOUNT, 1);
  const before = await newest();
  await restore();
  await world.declareAccount({ number: "2000000000", bank: "100", pays_out: false });
  await importOf("2000000000", 1);
  expect(await newest()).toBeGreaterThan(before);
});

test("an import waits for that of another account, which may be about to move the numbers", async () => {
  await world.declareAccount({ number: "3000000000", bank: "101", pays_out: false });
  const other = await world.pool.connect();
  await other.query("begin");
  await lockImports(other);
  const importing = importOf("3000000000", 1);
  await until("it waits", async () => {
    const { rows } = await world.owner.query(
      `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length === 1;
  });
  await other.query("commit");
  other.release();
  expect(await importing).toMatchObject({ is_new: true });
});

test("of imports of several accounts at once after a restore each has numbers of its own", async () => {
  const accounts = Array.from({ length: 3 }, (_, n) => `400000000${n}`);
  for (const number of accounts) await world.declareAccount({ number, bank: number, pays_out: false });
  const before = await newest();
  await restore();
  const imported = await Promise.all(accounts.map((number) => importOf(number, 700)));
  expect(imported.map(({ is_new }) => is_new)).toEqual([true, true, true]);
  const { rows } = await world.owner.query("select count(*)::integer as n from lines where id > $1", [before]);
  expect(rows).toEqual([{ n: 2_100 }]);
});
