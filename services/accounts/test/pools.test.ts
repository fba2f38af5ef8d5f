import {
  choosePartner,
  issueCollectionAccount,
  issueCustomerAccount,
  listPartners,
  type Merchant,
  Problem,
  settleOpening,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { restoreAccounts, uncopiedAccounts } from "../src/store/account-copies.ts";
import { setFreePooledAside } from "../src/store/pooled-accounts.ts";
import { aLiveMerchant, aLog, hint, issueTo, OWN, rowsReported } from "./partners-world.ts";
import { aPoolPartner, startPoolBank } from "./pool-bank.ts";
import { type AccountsWorld, startAccounts, useAccountsWorld } from "./world.ts";

const bank = await startPoolBank();
afterAll(bank.stop);
const partner = aPoolPartner(bank.url);
const alone = await useAccountsWorld();
const { log, lines } = aLog(alone.log);
const world = { ...alone, log };
const { next } = bank;

let started: AccountsWorld[] = [];
async function start(pooling: { low: number; high: number }, standard = partner) {
  const partners = { all: [OWN, partner], standard, own: OWN.id };
  const replica = await startAccounts(world, { partners, pooling: { everyMs: 20, pauseMs: 20, ...pooling } });
  started.push(replica);
  return replica;
}

beforeEach(async () => {
  for (const { stop } of started) await stop();
  started = [];
  await world.owner.query(
    "update pooled_accounts set state = 'set_aside', reason = 'of another test' where state <> 'given'",
  );
  Object.assign(bank, { opened: 0, renamed: 0, answers: true, isFull: false, isUp: true, next });
  lines.length = 0;
});

const rows = async (state: string) =>
  (
    await world.owner.query(
      "select * from pooled_accounts where state = $1 and reason is distinct from 'of another test' order by created_at",
      [state],
    )
  ).rows;
const untilFree = (count: number) => until(`${count} are free`, async () => (await rows("free")).length === count);
/** As if their answers had been lost some minutes ago. */
const age = () =>
  world.owner.query(
    "update pooled_accounts set created_at = created_at - interval '3 minutes' where state = 'opening'",
  );
const codeOf = (failure: unknown) => (failure instanceof Problem ? failure.code : String(failure));
const poolShown = async () => (await world.others.request(listPartners, {})).partners[1]?.pool;
const settle = (id: string, account_number: string | null) =>
  world.others.request(settleOpening, { id, account_number });

test("accounts are opened ahead and given out by renaming: one for each owner, whatever repeats or comes at once", async () => {
  await start({ low: 12, high: 12 });
  await untilFree(12);
  const merchant = aLiveMerchant();
  const references = Array.from({ length: 10 }, (_, n) => `cust_${n}`);
  const calls = references.flatMap((reference) => Array.from({ length: 5 }, () => issueTo(world, merchant, reference)));
  const answers = await Promise.all([
    ...calls,
    world.others
      .request(issueCollectionAccount, { merchant, position: 1 })
      .then((account) => ({ account, created: false })),
  ]);
  const numbers = new Set(answers.map(({ account }) => account.account_number));
  expect(numbers.size).toBe(11);
  expect(answers.filter(({ created }) => created)).toHaveLength(10);
  expect([...numbers].map((number) => bank.accounts.get(number)).sort()).toEqual(
    ["Acme Stores", ...references.map(() => "Acme Stores / Ada Obi")].sort(),
  );
  expect(new Set((await rows("given")).map(({ account_number }) => account_number))).toEqual(numbers);
  await untilFree(12);
  expect(bank.opened).toBe(23);
});

test("two replicas fill a pool once, from below the low mark up to the high one", async () => {
  await Promise.all([start({ low: 2, high: 5 }), start({ low: 2, high: 5 })]);
  await untilFree(5);
  const merchant = aLiveMerchant();
  for (const reference of ["cust_1", "cust_2", "cust_3"]) await issueTo(world, merchant, reference);
  expect(await rows("free")).toHaveLength(2);
  await issueTo(world, merchant, "cust_4");
  await untilFree(5);
  expect(bank.opened).toBe(9);
});

test("an empty pool refuses for now, and the same call succeeds once it is filled", async () => {
  bank.isUp = false;
  await start({ low: 1, high: 1 });
  const merchant = aLiveMerchant();
  expect(await issueTo(world, merchant, "cust_1").catch(codeOf)).toBe("service_unavailable");
  // A bank that is not there costs no opening.
  expect(await rows("opening")).toEqual([]);
  bank.isUp = true;
  await untilFree(1);
  expect((await issueTo(world, merchant, "cust_1")).created).toBe(true);
});

test("an opening whose answer is lost is never used, seen by operators, and stops the rest before too many are lost", async () => {
  bank.answers = false;
  await start({ low: 1, high: 1 });
  await until("no more are opened", () => bank.opened === 20);
  await age();
  expect((await poolShown())?.unanswered).toHaveLength(20);
  expect(await issueTo(world, aLiveMerchant(), "cust_1").catch(codeOf)).toBe("service_unavailable");
  bank.answers = true;
  const [first, second, third] = await rows("opening");
  // Its provisional name at the bank is its id: a person has looked.
  const [number] = [...bank.accounts].find(([, name]) => name === first.id) ?? [];
  expect(await settle(first.id, number ?? null)).toEqual({ id: first.id, state: "free" });
  expect(await settle(second.id, number ?? null).catch(codeOf)).toBe("conflict");
  expect(await settle(third.id, null)).toEqual({ id: third.id, state: "set_aside" });
  expect(await settle(first.id, null).catch(codeOf)).toBe("not_found");
  expect((await issueTo(world, aLiveMerchant(), "cust_1")).account.account_number).toBe(number);
  await untilFree(1);
  expect(bank.opened).toBe(21);
});

test("openings that the bank refuses are one row, however many they are, and the pool is filled once it opens accounts again", async () => {
  bank.isFull = true;
  await start({ low: 1, high: 1 });
  await until("it is asked more often than openings may be lost", () => bank.opened > 22);
  await age();
  const [refused, ...more] = await until("the last one is set aside", async () => {
    const aside = await rows("set_aside");
    return aside.length > 0 && aside;
  });
  expect([refused.reason, more]).toEqual(["not opened: the limit is reached", []]);
  expect((await poolShown())?.unanswered).toEqual([]);
  const alarms = lines.filter((line) => line.includes("pool_refused"));
  expect(alarms[0]).toContain("it may have reached the limit of accounts that it gives us");
  expect(lines.join()).not.toMatch(/pool_blocked|pooled_account_lost/);
  bank.isFull = false;
  await untilFree(1);
  expect(await rows("free")).toMatchObject([{ id: refused.id }]);
});

test("an opening that is in progress cannot be settled", async () => {
  await world.owner.query("insert into pooled_accounts (id, partner) values ('pool-now', 'pooling')");
  await start({ low: 1, high: 1 });
  expect(await settle("pool-now", null).catch(codeOf)).toBe("not_found");
});

test("a lost account for which money is reported is known from then on, and not given out", async () => {
  await start({ low: 1, high: 1 });
  await untilFree(1);
  await world.owner.query("insert into pooled_accounts (id, partner) values ('pool-lost', 'pooling')");
  await age();
  const [{ doorUrl }] = started as [AccountsWorld];
  await hint({ doorUrl }, { id: "adopt-1", account: "8888800000", kobo: 5_000 });
  const [found] = await until("it is found", async () => {
    const aside = await rows("set_aside");
    return aside.length > 0 && aside;
  });
  expect(found).toMatchObject({ id: "pool-lost", account_number: "8888800000" });
  expect(await rowsReported(world, "adopt-1")).toMatchObject([{ bank: "pooling", merchant_id: null }]);
  // Money for another unknown number finds nothing more.
  await hint({ doorUrl }, { id: "adopt-2", account: "8888811111", kobo: 5_000 });
  expect((await issueTo(world, aLiveMerchant(), "cust_1")).account.account_number).not.toBe("8888800000");
  expect(await rows("set_aside")).toHaveLength(1);
});

test("a number that another owner has is never given out", async () => {
  const own = await start({ low: 1, high: 1 }, OWN);
  const { account } = await issueTo(world, aLiveMerchant(), "cust_1");
  await own.stop();
  let isFirst = true;
  bank.next = () => {
    if (!isFirst) return next();
    isFirst = false;
    return account.account_number;
  };
  await start({ low: 1, high: 1 });
  await untilFree(1);
  expect(await rows("set_aside")).toMatchObject([{ account_number: account.account_number }]);
  // Another bank's account may get the same number after it was opened here.
  await world.owner.query(
    "update pooled_accounts set state = 'free', reason = null, created_at = '2026-01-01' where account_number = $1",
    [account.account_number],
  );
  expect((await issueTo(world, aLiveMerchant(), "cust_1")).account.account_number).not.toBe(account.account_number);
});

test("a bank that opens the same account twice has it in the pool once", async () => {
  bank.next = () => "8777700000";
  await start({ low: 2, high: 2 });
  await until("it is opened again", () => bank.opened > 1);
  expect(await rows("free")).toMatchObject([{ account_number: "8777700000" }]);
});

test("a pool is filled only where accounts come from it", async () => {
  await start({ low: 1, high: 1 }, OWN);
  const merchant: Merchant = aLiveMerchant();
  await issueTo(world, merchant, "cust_1");
  expect(await rows("free")).toEqual([]);
  await world.others.request(choosePartner, { merchant_id: merchant.id, partner: "pooling" });
  await untilFree(1);
  const wanted = { merchant, customer_reference: "cust_2", customer_name: "Ada Obi" };
  expect((await world.others.request(issueCustomerAccount, wanted)).account.bank_name).toBe("Pooling Bank");
  await world.owner.query("delete from partner_choices");
});

test("after a restore nothing is given out that may have been before, and a customer who was given a number keeps it, also if the backup has none for them", async () => {
  const merchant = aLiveMerchant();
  const ask = async () => [
    (await issueTo(world, merchant, "cust_1")).account,
    await world.others.request(issueCollectionAccount, { merchant, position: 1 }),
  ];
  const tables = ["customer_accounts", "collection_accounts"];
  const stored = async (table: string) =>
    (await world.owner.query(`select to_jsonb(a) as row from ${table} a where merchant_id = $1`, [merchant.id])).rows;
  const empty = await start({ low: 0, high: 0 });
  expect(await issueTo(world, merchant, "cust_1").catch(codeOf)).toBe("service_unavailable");
  await expect(world.others.request(issueCollectionAccount, { merchant, position: 1 })).rejects.toThrow();
  const backup = await Promise.all(tables.map(stored));
  await empty.stop();
  const lost = await start({ low: 4, high: 4 });
  await untilFree(4);
  const given = await ask();
  const copies = (await uncopiedAccounts(world.pool, 100)).filter((copy) => copy.merchant.id === merchant.id);
  expect(copies).toHaveLength(2);
  await lost.stop();

  for (const [n, table] of tables.entries()) {
    await world.owner.query(`delete from ${table} where merchant_id = $1`, [merchant.id]);
    await world.owner.query(`insert into ${table} select (jsonb_populate_record(null::${table}, $1)).*`, [
      backup[n]?.[0].row,
    ]);
  }
  await world.owner.query("update pooled_accounts set state = 'free', account_id = null where state = 'given'");
  await setFreePooledAside(world.pool);
  expect(await rows("free")).toEqual([]);
  for (let times = 0; times < 2; times++) await restoreAccounts(world.pool, copies);
  const { doorUrl } = await start({ low: 2, high: 2 });
  await untilFree(2);
  expect(await ask()).toEqual(given);
  await hint({ doorUrl }, { id: "restored-1", account: given[0]?.account_number, kobo: 5_000 });
  expect(await rowsReported(world, "restored-1")).toMatchObject([{ customer_reference: "cust_1" }]);
});
