import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { nuban } from "@collect/bank";
import {
  type Actor,
  acknowledgeNewPayees,
  createTransfer,
  listNewPayees,
  type MerchantScope,
  type WireResult,
} from "@collect/contracts";
import { expect, onTestFinished, test } from "vitest";
import { directory } from "../inbound/sessions-world.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  partnerAt,
  startPayments,
  testAccount,
  untilStatus,
} from "./transfers-world.ts";
import { startOwnBank, useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();
const ADA: Actor = { kind: "member", user_id: "usr_ada", email: "ada@example.com" };
const KEY: Actor = { kind: "key", key: "sk_live_…3xYz" };
const anAccount = (serial: string) => ({ bank_code: "011", account_number: nuban({ bankCode: "011", serial }) });
const OTHER_ACCOUNT = anAccount("000000777");

const start = async () => {
  const bank = await startOwnBank(world);
  const payments = await startPayments(world, { partner: partnerAt(bank.url) });
  onTestFinished(payments.stop);
};

async function pay(merchant: MerchantScope, account: { bank_code: string; account_number: string }, actor = ADA) {
  const order = anOrder(account);
  const named = { merchant: { ...merchant, name: "Ada Stores" }, ...order };
  const { transfer } = await world.others.request(createTransfer, named, { actor });
  return { ...transfer, merchantReference: order.reference };
}

type Announcement = WireResult<typeof listNewPayees>["announcements"][number];
async function announcedTo(merchant: MerchantScope): Promise<Announcement[]> {
  const { announcements } = await world.others.request(listNewPayees, {});
  return announcements.filter(({ merchant_id }) => merchant_id === merchant.id);
}
const acknowledge = (announcements: Announcement[]) =>
  world.others.request(acknowledgeNewPayees, { keys: announcements.map(({ key }) => key) });
const aQuarterOfAnHourLater = (merchant: MerchantScope) =>
  world.owner.query("update payees set announced_at = announced_at - interval '15 minutes' where merchant_id = $1", [
    merchant.id,
  ]);

test("a name that the order withholds is withheld in the announcement, unless ₦100 or more was sent", async () => {
  await start();
  const merchant = aFundedMerchant(ledger, "live");
  const { reference } = await pay(merchant, LIVE_ACCOUNT, KEY);
  const named = async () => (await announcedTo(merchant))[0]?.payees[0]?.account_name;
  await untilStatus(world, merchant, reference, "success");
  const whole = await named();
  const withheld = (amount: string) =>
    world.owner.query(
      `alter table transfers disable trigger user; update transfers set name_withheld = true, amount = ${amount}
       where reference = '${reference}'; alter table transfers enable trigger user`,
    );
  await withheld("amount");
  expect(await named()).toBe(whole);
  await withheld("1");
  expect(await named()).toMatch(/^(\S\*\*\* ?)+$/);
});

test("the first live payout to an account is announced once, until it is acknowledged, by a key or a session", async () => {
  await start();
  const merchant = aFundedMerchant(ledger, "live");
  const first = await pay(merchant, LIVE_ACCOUNT, KEY);
  const announced = await announcedTo(merchant);
  expect(announced).toMatchObject([
    {
      count: 1,
      payees: [{ reference: first.merchantReference, amount: 2500.73, account_number: "0000014579", ordered_by: KEY }],
    },
  ]);
  expect(await announcedTo(merchant)).toEqual(announced);
  await untilStatus(world, merchant, first.reference, "success");
  await acknowledge(announced);
  await acknowledge(announced);
  await aQuarterOfAnHourLater(merchant);
  await pay(merchant, LIVE_ACCOUNT, KEY);
  await pay(merchant, LIVE_ACCOUNT, ADA);
  expect(await announcedTo(merchant)).toEqual([]);
});

test("another merchant's payout to the same account, and another account of this one, are new", async () => {
  await start();
  const [one, other] = [aFundedMerchant(ledger, "live"), aFundedMerchant(ledger, "live")];
  await pay(one, LIVE_ACCOUNT);
  await pay(other, LIVE_ACCOUNT);
  const [ofOne, ofOther] = [await announcedTo(one), await announcedTo(other)];
  expect([ofOne.length, ofOther.length]).toEqual([1, 1]);
  await acknowledge([...ofOne, ...ofOther]);
  await aQuarterOfAnHourLater(one);
  await pay(one, OTHER_ACCOUNT);
  expect(await announcedTo(one)).toMatchObject([{ payees: [{ account_number: OTHER_ACCOUNT.account_number }] }]);
});

test("a test payout, one that the ledger refuses, and one that the bank does not know are not announced", async () => {
  await start();
  const [inTest, poor] = [aFundedMerchant(ledger, "test"), aFundedMerchant(ledger, "live")];
  await pay(inTest, { bank_code: anOrder().bank_code, account_number: testAccount(1) });
  ledger.decides = { refusal: "transfer_limit" };
  await expect(pay(poor, LIVE_ACCOUNT)).rejects.toMatchObject({ code: "payout_limit_exceeded" });
  ledger.decides = {};
  expect([await announcedTo(inTest), await announcedTo(poor)]).toEqual([[], []]);
});

test("of many at once to one account one is the first, and a flood of new payees is gathered", async () => {
  await start();
  const merchant = aFundedMerchant(ledger, "live");
  await Promise.all(Array.from({ length: 5 }, () => pay(merchant, LIVE_ACCOUNT)));
  const first = await announcedTo(merchant);
  expect(first).toMatchObject([{ count: 1 }]);
  await acknowledge(first);
  for (let n = 0; n < 12; n++) await pay(merchant, anAccount(String(1_000 + n).padStart(9, "0")));
  expect(await announcedTo(merchant)).toEqual([]);
  await aQuarterOfAnHourLater(merchant);
  const [listed, again] = await Promise.all([announcedTo(merchant), announcedTo(merchant)]);
  expect(listed).toEqual(again);
  expect(listed.map(({ count, payees }) => [count, payees.length])).toEqual([[12, 10]]);
});

test("what was paid before the announcements is no new payee, even if it is paid again between the two migrations", async () => {
  await start();
  const merchant = aFundedMerchant(ledger, "live");
  const before = await pay(merchant, LIVE_ACCOUNT);
  await world.owner.query("delete from payees where merchant_id = $1", [merchant.id]);
  await pay(merchant, LIVE_ACCOUNT);
  await pay(merchant, OTHER_ACCOUNT);
  const sql = await readFile(join(directory, "migrations/20261122190220_payees_so_far/migration.sql"), "utf8");
  await world.owner.query(sql);
  await world.owner.query(sql);
  const { rows } = await world.owner.query(
    "select reference, acknowledged_at is not null as known from payees where merchant_id = $1",
    [merchant.id],
  );
  expect(rows).toContainEqual({ reference: before.reference, known: true });
  expect(rows).toHaveLength(2);
  expect(await announcedTo(merchant)).toEqual([]);
});
