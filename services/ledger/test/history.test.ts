import { addressOf, type Pool, provision, type Transaction, transaction } from "@collect/database";
import { randomId } from "@collect/testing";
import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { balanced, credit, debit } from "../src/domain/transaction.ts";
import { postBatch } from "../src/store/post-batch.ts";
import { aCollection, faultsOf, useLedgerWorld } from "./ledger.ts";

const world = await useLedgerWorld();
let recorded: { id: string; merchant: string };

beforeEach(async () => {
  const merchant = randomId("mer");
  const [posted] = await transaction(world.pool, (tx) => postBatch(tx, [aCollection({ merchant })]));
  recorded = { id: posted?.id ?? "", merchant: `test:collected:${merchant}` };
});

/** One statement that writes a transaction and these legs and updates the accounts, as a correct batch does. */
function posting(legs: [account: string, amount: number][], mode = "test"): Promise<unknown> {
  return world.pool.query(
    `with posted as (
       insert into transactions (key, kind, mode, amount, fee, fee_basis_points, occurred_at)
       values ($1, 'collection', $2, 100, 0, 0, now()) returning id
     ), moved as (
       insert into ledger_accounts as account (id, mode, kind, stripe, balance, version)
       select id, split_part(id, ':', 1), split_part(id, ':', 2), split_part(id, ':', 3)::smallint, amount, 1
       from unnest($3::text[], $4::bigint[]) as leg (id, amount)
       on conflict (id) do update set balance = account.balance + excluded.balance, version = account.version + 1
       returning id, balance, version
     )
     insert into entries (account_id, account_version, amount, balance_after, transaction_id)
     select moved.id, version, leg.amount, balance, posted.id
     from posted, moved join unnest($3::text[], $4::bigint[]) as leg (id, amount) using (id)`,
    [randomId("key"), mode, legs.map(([account]) => account), legs.map(([, amount]) => amount)],
  );
}

test("a balanced transaction of two legs is accepted", async () => {
  await posting([
    ["test:bank:7", 100],
    ["test:suspense:7", -100],
  ]);
  expect(await faultsOf(world.owner)).toEqual([]);
});

test.each<[string, [string, number][]]>([
  ["without entries", []],
  ["with one leg", [["test:bank:0", 100]]],
  [
    "that does not sum to zero",
    [
      ["test:bank:0", 100],
      ["test:suspense:0", -99],
    ],
  ],
  [
    "across modes",
    [
      ["test:bank:0", 100],
      ["live:suspense:0", -100],
    ],
  ],
])("the database refuses a transaction %s", async (_, legs) => {
  await expect(posting(legs)).rejects.toThrow("does not balance");
});

test("the database refuses a transaction of one mode on accounts of the other", async () => {
  const legs: [string, number][] = [
    ["test:bank:0", 100],
    ["test:suspense:0", -100],
  ];
  await expect(posting(legs, "live")).rejects.toThrow("does not balance");
});

/** Two more legs that update their accounts: the sum is zero and the chain intact, but the transaction is an existing one. */
const join = (tx: Transaction | Pool, transactionId: string) =>
  tx.query(
    `with moved as (
       update ledger_accounts set balance = balance + case kind when 'bank' then 5 else -5 end, version = version + 1
       where id in ('test:bank:0', 'test:fees:0') returning id, kind, balance, version
     )
     insert into entries (account_id, account_version, amount, balance_after, transaction_id)
     select id, version, case kind when 'bank' then 5 else -5 end, balance, $1::bigint from moved`,
    [transactionId],
  );

test("entries cannot join a recorded transaction", async () => {
  await expect(join(world.pool, recorded.id)).rejects.toThrow("can only join a transaction of their own statement");
});

test("entries cannot join a transaction of an earlier statement of the same commit", async () => {
  await expect(
    transaction(world.pool, async (tx) => {
      const [posted] = await postBatch(tx, [aCollection({ merchant: randomId("mer") })]);
      await join(tx, posted?.id ?? "");
    }),
  ).rejects.toThrow("can only join a transaction of their own statement");
});

test("entries cannot belong to a missing transaction", async () => {
  await expect(join(world.pool, "999999999")).rejects.toThrow("can only join a transaction of their own statement");
});

test.each([
  ["skips a version", 2, 0],
  ["has another balance", 1, 1],
])("the database refuses an entry that %s, even if its account moves with it", async (_, step, extra) => {
  await expect(
    world.pool.query(
      `with posted as (
         insert into transactions (key, kind, mode, amount, fee, fee_basis_points, occurred_at)
         values ($1, 'collection', 'test', 5, 0, 0, now()) returning id
       ), leg as (
         select * from (values ('test:bank:0', 5), ('test:fees:0', -5)) as leg (account_id, amount)
       ), moved as (
         update ledger_accounts as account set balance = balance + amount + $3, version = version + $2
         from leg where account.id = account_id returning account_id, amount, version, balance
       )
       insert into entries (account_id, account_version, amount, balance_after, transaction_id)
       select account_id, version, amount, balance, posted.id from posted, moved`,
      [randomId("key"), step, extra],
    ),
  ).rejects.toThrow("do not continue its chain");
});

test.each([
  ["does not match its account", "select id, version + 1, balance from ledger_accounts where id = any($2)"],
  ["has no account", "select replace(unnest($2::text[]), ':0', ':98'), 1, 0"],
])("the database refuses an entry that %s", async (_, accounts) => {
  await expect(
    world.pool.query(
      `with posted as (
         insert into transactions (key, kind, mode, amount, fee, fee_basis_points, occurred_at)
         values ($1, 'collection', 'test', 5, 0, 0, now()) returning id
       ), leg as (
         select *, case when id like '%bank%' then 5 else -5 end as amount from (${accounts}) as account (id, version, balance)
       )
       insert into entries (account_id, account_version, amount, balance_after, transaction_id)
       select leg.id, version, amount, balance + amount, posted.id from posted, leg`,
      [randomId("key"), ["test:bank:0", "test:fees:0"]],
    ),
  ).rejects.toThrow("do not continue its chain");
});

test.each([
  ["changes", "update ledger_accounts set balance = balance - 123456789"],
  ["changes together with its version", "update ledger_accounts set balance = balance - 5, version = version + 1"],
  ["goes back to that of an earlier entry", "update ledger_accounts set balance = -990, version = 1"],
])("no statement of the service's role may leave a balance that %s, without an entry", async (_, update) => {
  const merchant = recorded.merchant.replace("test:collected:", "");
  await transaction(world.pool, (tx) => postBatch(tx, [aCollection({ merchant })]));
  await expect(world.pool.query(`${update} where id = $1`, [recorded.merchant])).rejects.toThrow(
    `the balance of ${recorded.merchant} is not that of its last entry`,
  );
});

test("the service's role may not create an account with money and without an entry", async () => {
  await expect(
    world.pool.query(
      "insert into ledger_accounts (id, kind, mode, stripe, balance, version) values ('live:bank:77', 'bank', 'live', 77, 5, 1)",
    ),
  ).rejects.toThrow("the balance of live:bank:77 is not that of its last entry");
});

test.each(["settled", "payouts"] as const)(
  "the database refuses a %s account that would owe us money",
  async (kind) => {
    const merchant = { id: randomId("mer"), mode: "test" as const };
    const owed = (amount: bigint) =>
      balanced({ ...aCollection({ merchant: merchant.id }), fee: 0n }, [
        credit(`test:${kind}:${merchant.id}`, amount),
        debit("test:bank:0", amount),
      ]);
    const post = (amount: bigint) => transaction(world.pool, (tx) => postBatch(tx, [owed(amount)]));
    await expect(post(-1n)).rejects.toThrow("does not hold that much");
    await post(100n);
    await expect(post(-101n)).rejects.toThrow("does not hold that much");
    await post(-100n);
  },
);

const CHANGES = [
  "update transactions set amount = amount + 1",
  "update entries set amount = amount + 1",
  "delete from transactions",
  "delete from entries",
  "truncate transactions",
  "truncate entries",
  "update transfer_reserves set reserved = true",
  "delete from transfer_ends",
  "update settlements set amount = amount + 1",
  "truncate settlements",
];

test.each(CHANGES)("the service's role may not: %s", async (change) => {
  await expect(world.pool.query(change)).rejects.toThrow(/permission denied/);
});

test.each(CHANGES)("the owner is refused too: %s", async (change) => {
  await expect(world.owner.query(change)).rejects.toThrow("what is posted stays as it is");
});

test.each([
  "delete from ledger_accounts",
  "truncate ledger_accounts",
  "update ledger_accounts set id = 'test:bank:9'",
  "alter table entries disable trigger all",
  "drop trigger entries_stay on entries",
  "set session_replication_role = replica",
  "delete from fee_schedules",
  "delete from settlement_schedules",
  "insert into audit_progress values (2)",
  "create table public.entries_of_mine ()",
  "create temporary table entries ()",
])("the service's role may not: %s", async (statement) => {
  await expect(world.pool.query(statement)).rejects.toThrow(/permission denied|must be owner/);
});

test("the service's role cannot connect to another service's database", async () => {
  const admin = addressOf(world.database.owner, "postgres");
  const foreign = randomId("test_payments");
  await provision(admin, "payments", { database: foreign });
  try {
    const client = new pg.Client({ connectionString: addressOf(world.database.service, foreign) });
    await expect(client.connect()).rejects.toThrow(/permission denied for database/);
  } finally {
    await world.owner.query(`drop database ${foreign} with (force)`);
  }
});

test("a refusal leaves the ledger unchanged", async () => {
  expect(await faultsOf(world.owner)).toEqual([]);
  const { rows } = await world.owner.query("select version from ledger_accounts where id = $1", [recorded.merchant]);
  expect(rows).toEqual([{ version: 1n }]);
});
