import {
  choosePartner,
  getIncomingHealth,
  instantOf,
  issueCustomerAccount,
  type Merchant,
  type Mode,
  Problem,
} from "@collect/contracts";
import { aMerchant } from "@collect/testing";
import { expect, test } from "vitest";
import { anIntakeRow } from "./intake-rows.ts";
import { aHintingPartner, aLiveMerchant, issueTo } from "./partners-world.ts";
import { aPartner, aReport, issued, report, startAccounts, useAccounts } from "./world.ts";

const partner = aPartner();
const world = await useAccounts({ partner });
const health = () => world.others.request(getIncomingHealth, {});
const issue = (mode: Mode, customer_reference: string) => {
  const merchant: Merchant = { ...aMerchant(mode), name: "Ada Stores" };
  return world.others.request(issueCustomerAccount, { merchant, customer_reference, customer_name: "Ada Obi" });
};
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test("test transfers and test accounts say nothing about the bank", async () => {
  await anIntakeRow(world, { mode: "test", receivedAt: minutesAgo(0), isCompleted: false });
  await issue("test", "cust_1");
  expect(await health()).toEqual({
    bank: { code: "729", name: "Harbour Bank" },
    transfers: { state: "quiet", last: null, unfinished: { count: 0, oldest_received_at: null } },
    accounts: { state: "quiet", issued: 0, pending: { count: 0, oldest_created_at: null }, last_issued_at: null },
    others: [],
  });
});

test("the last live transfer is told with the bank's time and ours, and what is unfinished with the oldest", async () => {
  const [older, newest] = [minutesAgo(90), minutesAgo(2)];
  await anIntakeRow(world, { receivedAt: older, isCompleted: false });
  expect((await health()).transfers).toMatchObject({ state: "quiet", unfinished: { count: 1 } });
  await anIntakeRow(world, { receivedAt: newest });
  await anIntakeRow(world, { mode: "test", receivedAt: minutesAgo(1) });
  const { state, last, unfinished } = (await health()).transfers;
  expect([state, Date.parse(last?.received_at ?? ""), Date.parse(last?.paid_at ?? "")]).toEqual([
    ...["ok", newest.getTime(), newest.getTime()],
  ]);
  expect([unfinished.count, Date.parse(unfinished.oldest_received_at ?? "")]).toEqual([1, older.getTime()]);
  // At the bank door, eleven minutes late.
  const paidAt = instantOf(minutesAgo(11));
  expect((await report(world, aReport("0000000025", { paid_at: paidAt }))).status).toBe(200);
  const late = (await health()).transfers;
  expect([late.state, Date.parse(late.last?.paid_at ?? "")]).toEqual(["failing", Date.parse(paidAt)]);
});

test("accounts of the last day are counted, and one without a number for ten minutes means that the bank is failing", async () => {
  partner.respond = async ({ accountName }) => issued("0000000017", accountName);
  await issue("live", "cust_1");
  partner.respond = () => Promise.reject(new Problem("provider_timeout", "The bank did not answer."));
  await expect(issue("live", "cust_2")).rejects.toThrow("The bank did not answer.");
  const { accounts } = await health();
  expect(accounts).toMatchObject({ state: "ok", issued: 1, pending: { count: 1 } });
  expect(Date.now() - Date.parse(accounts.last_issued_at ?? "")).toBeLessThan(60_000);
  await world.owner.query("update customer_accounts set created_at = $1 where account_number is null", [
    minutesAgo(11),
  ]);
  expect((await health()).accounts).toMatchObject({ state: "failing", issued: 1, pending: { count: 1 } });
  // What was ordered two days ago is not of the last day, whatever the merchant ordered since.
  await world.owner.query("update customer_accounts set created_at = $1 where mode = 'live'", [minutesAgo(2_900)]);
  expect((await health()).accounts).toMatchObject({ state: "quiet", issued: 0, last_issued_at: null });
});

test("each partner has its own transfers and accounts: one that works does not hide that another is failing", async () => {
  await world.stop();
  await world.owner.query("delete from customer_accounts");
  const hinting = aHintingPartner();
  await startAccounts(world, { partners: { all: [partner, hinting], standard: hinting, own: partner.id } });
  const [waiting, late] = [minutesAgo(40), minutesAgo(5)];
  await anIntakeRow(world, { bank: "hinting", receivedAt: waiting, isCompleted: false });
  await anIntakeRow(world, { bank: "hinting", receivedAt: late });
  await issueTo(world, aLiveMerchant(), "cust_1");
  const merchant = aLiveMerchant();
  await world.others.request(choosePartner, { merchant_id: merchant.id, partner: partner.id });
  partner.respond = async ({ accountName }) => issued("0000000033", accountName);
  await issueTo(world, merchant, "cust_1");
  partner.respond = () => Promise.reject(new Problem("provider_timeout", "The bank did not answer."));
  await expect(issueTo(world, merchant, "cust_2")).rejects.toThrow();
  await world.owner.query("update customer_accounts set created_at = $1 where account_number is null", [
    minutesAgo(11),
  ]);
  const { bank, transfers, accounts, others } = await health();
  expect(bank.code).toBe("hinting");
  expect(transfers).toMatchObject({ state: "ok", last: { received_at: instantOf(late) } });
  expect(transfers.unfinished).toEqual({ count: 1, oldest_received_at: instantOf(waiting) });
  expect(accounts).toMatchObject({ state: "ok", issued: 1, pending: { count: 0 } });
  expect(others).toMatchObject([
    {
      bank: { code: "729", name: "Harbour Bank" },
      transfers: { state: "failing", unfinished: { count: 2 } },
      accounts: { state: "failing", issued: 1, pending: { count: 1 } },
    },
  ]);
});
