import { collectionPosted, collectionSucceeded, type Fact } from "@collect/contracts";
import { schemaDifference } from "@collect/database";
import { aTransfer, recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { directory, useSessions } from "./sessions-world.ts";

const world = await useSessions();
const succeeded = await recordFacts(world.others, collectionSucceeded);

type Posted = Fact<typeof collectionPosted>;

function aCollection(given: Partial<Posted> = {}): Posted {
  const { fundedBy: _, ...transfer } = aTransfer();
  const posted = {
    feeBasisPoints: 100,
    fee: 10_000n,
    net: 990_000n,
    transactionId: "1",
    postedAt: "2026-11-21T09:30:02.000+00:00",
  };
  return { ...transfer, ...posted, ...given };
}

const published = (intakeId: string) => succeeded.all.filter((fact) => fact.intakeId === intakeId);
const rowsOf = async (table: "collections" | "payers", merchantId: string) =>
  (await world.owner.query(`select * from ${table} where merchant_id = $1`, [merchantId])).rows;

test("a collection gets its reference and its payer, and is published with the ledger's amounts", async () => {
  const posted = aCollection();
  await world.others.publish(collectionPosted, [posted]);
  const [fact] = await until("published", () => published(posted.intakeId).length > 0 && published(posted.intakeId));
  expect(fact).toMatchObject({
    reference: posted.intakeId.replace("int_", "col_"),
    amount: 1_000_000n,
    fee: 10_000n,
    net: 990_000n,
    customer: { reference: "cust_42", name: "Ada Obi" },
    paymentReference: null,
    merchantReference: null,
    payerDetailsName: null,
  });
  expect(await rowsOf("payers", posted.merchant.id)).toMatchObject([{ name: "Chidi Eze", bank_name: "First Bank" }]);
});

test("a repeat changes nothing and is published identically", async () => {
  const posted = aCollection();
  await world.others.publish(collectionPosted, [posted, posted]);
  await until("published", () => published(posted.intakeId).length > 0);
  await world.others.publish(collectionPosted, [posted]);
  await until("published again", () => published(posted.intakeId).length > 1);
  const [first, ...repeats] = published(posted.intakeId);
  for (const repeat of repeats) expect(repeat).toEqual(first);
  expect(await rowsOf("collections", posted.merchant.id)).toHaveLength(1);
});

test("a repeat with another amount becomes a dead letter and the rest of its batch is processed", async () => {
  const posted = aCollection();
  await world.others.publish(collectionPosted, [posted]);
  await until("published", () => published(posted.intakeId).length > 0);
  const others = [aCollection(), aCollection()];
  await world.others.publish(collectionPosted, [...others, { ...posted, amount: 1n, fee: 0n, net: 1n }]);
  for (const { intakeId } of others)
    await until("the rest of the batch published", () => published(intakeId).length > 0);
  const letter = await until("a dead letter", async () => {
    const { rows } = await world.owner.query("select * from dead_letters where natural_key = $1", [posted.intakeId]);
    return rows[0];
  });
  expect(letter.error).toContain("came again with another amount");
  expect(await rowsOf("collections", posted.merchant.id)).toMatchObject([{ amount: 1_000_000n }]);
});

test("a payer is unique by merchant, mode, bank, account number and name", async () => {
  const first = aCollection();
  const payer = { name: "Chidi Eze", accountNumber: null, bankName: null };
  const same = [
    aCollection({ merchant: first.merchant }),
    aCollection({ merchant: first.merchant }),
    aCollection({ merchant: first.merchant, payer }),
  ];
  const all = [first, ...same];
  await world.others.publish(collectionPosted, all);
  for (const { intakeId } of all) await until("published", () => published(intakeId).length > 0);
  expect(await rowsOf("payers", first.merchant.id)).toHaveLength(2);
});

test("an unreadable message becomes a dead letter once and does not block the others", async () => {
  const good = aCollection();
  await world.others.jetstream.publish(`${collectionPosted.subject}.test.0`, "not json");
  await world.others.jetstream.publish(
    `${collectionPosted.subject}.test.0`,
    JSON.stringify([{ intakeId: "int_half" }]),
  );
  await world.others.publish(collectionPosted, [good]);
  await until("the good one published", () => published(good.intakeId).length > 0);
  await until("both dead letters", async () => {
    const { rows } = await world.owner.query("select 1 from dead_letters where natural_key like 'unreadable:%'");
    return rows.length === 2;
  });
});

test("the service cannot change a stored collection", async () => {
  await expect(world.pool.query("update collections set amount = amount + 1")).rejects.toThrow("permission denied");
  await expect(world.pool.query("delete from collections")).rejects.toThrow("permission denied");
});

test("the migrations create exactly the schema", async () => {
  expect(await schemaDifference({ url: world.database.owner, directory })).toEqual([]);
});
