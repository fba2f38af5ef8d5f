import { transaction } from "@collect/database";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import type { Transaction } from "../src/domain/transaction.ts";
import { postBatch } from "../src/store/post-batch.ts";
import { aCollection, faultsOf, useLedgerWorld } from "./ledger.ts";

const world = await useLedgerWorld();

const post = (transactions: Transaction[]) => transaction(world.pool, (tx) => postBatch(tx, transactions));

test("concurrent batches with the same accounts in opposite order neither deadlock nor break a chain", async () => {
  const merchants = Array.from({ length: 40 }, () => randomId("mer"));
  const batches = Array.from({ length: 40 }, (_, index) => {
    const batch = merchants.map((merchant) => aCollection({ merchant }));
    return index % 2 === 0 ? batch : batch.reverse();
  });
  await Promise.all(batches.map(post));
  const { rows } = await world.owner.query(
    "select distinct version, balance from ledger_accounts where merchant_id = any($1)",
    [merchants],
  );
  expect(rows).toEqual([{ version: 40n, balance: -40n * 990n }]);
  expect(await faultsOf(world.owner)).toEqual([]);
});

test("concurrent batches with the same keys in opposite order post each key once and read back the same rows", async () => {
  const merchant = randomId("mer");
  const batch = Array.from({ length: 200 }, () => aCollection({ merchant }));
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => post(index % 2 === 0 ? batch : [...batch].reverse())),
  );
  const rows = answers.map((posted) => posted.map(({ key, id, postedAt }) => `${key} ${id} ${postedAt}`).sort());
  for (const answer of rows) expect(answer).toEqual(rows[0]);
  expect(await faultsOf(world.owner)).toEqual([]);
});

test("a key that occurs twice in one batch is posted once", async () => {
  const twice = aCollection({ merchant: randomId("mer") });
  const [first, second] = await post([twice, twice]);
  expect(second).toEqual(first);
  const { rows } = await world.owner.query("select balance, version from ledger_accounts where merchant_id = $1", [
    twice.merchantId,
  ]);
  expect(rows).toEqual([{ balance: -990n, version: 1n }]);
  await expect(post([twice, { ...twice, amount: twice.amount + 1n }])).rejects.toThrow(
    "is already recorded with another",
  );
  expect(await faultsOf(world.owner)).toEqual([]);
});

test("a batch with a taken key is refused completely and writes nothing", async () => {
  const [taken, fresh] = [aCollection({ merchant: randomId("mer") }), aCollection({ merchant: randomId("mer") })];
  await post([taken]);
  await expect(post([fresh, { ...taken, merchantId: "mer_another" }])).rejects.toThrow(
    "is already recorded with another",
  );
  const { rows } = await world.owner.query("select 1 from transactions where key = $1", [fresh.key]);
  expect(rows).toEqual([]);
});
