import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { aMerchant } from "@collect/testing";
import { expect, test } from "vitest";
import { directory, useAccounts } from "./world.ts";

const world = await useAccounts();

const sqlOf = (name: string) => readFile(join(directory, "migrations", name, "migration.sql"), "utf8");
const statementsOf = (sql: string) =>
  sql
    .replace(/^\s*--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter(Boolean);

test("an index on an existing table is created concurrently, alone in its migration", async () => {
  const entries = await readdir(join(directory, "migrations"), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    const statements = statementsOf(await sqlOf(name));
    const tables = statements.flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []);
    for (const statement of statements) {
      const [, how, table = ""] = /^create (?:unique )?index (concurrently )?\w+ on (\w+)/.exec(statement) ?? [];
      if (!table || tables.includes(table)) continue;
      expect([name, how, statements.length]).toEqual([name, "concurrently ", 1]);
    }
  }
});

test("existing quarantined transfers get the merchant of their account, if it has one", async () => {
  const merchant = aMerchant();
  const [id, accountNumber, ofNobody] = [randomUUID(), "7000000001", "7000000002"];
  await world.owner.query(
    `insert into customer_accounts (id, merchant_id, mode, customer_reference, customer_name, account_number, account_name,
       bank_name, issue_request_id, status) values ($1, $2, $3, 'cust_1', 'Ada', $4, 'Ada', 'Test Bank', $1, 'active')`,
    [id, merchant.id, merchant.mode, accountNumber],
  );
  for (const number of [accountNumber, ofNobody])
    await world.owner.query(
      `insert into quarantined_transfers (bank, mode, bank_transfer_id, account_number, amount, currency, reason, received_at)
       values ('729', $1, $2, $3, 100, 'NGN', 'amount_changed', now())`,
      [merchant.mode, id, number],
    );
  await world.owner.query(await sqlOf("20261121130101_whose_quarantine"));
  const { rows } = await world.owner.query(
    "select account_number, merchant_id from quarantined_transfers where bank_transfer_id = $1 order by account_number",
    [id],
  );
  expect(rows).toEqual([
    { account_number: accountNumber, merchant_id: merchant.id },
    { account_number: ofNobody, merchant_id: null },
  ]);
});
