import { nuban } from "@collect/bank";
import { runSettlement } from "@collect/contracts";
import { openMailbox, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { client } from "../stack/client.ts";
import { aMember } from "../stack/person.ts";
import { startStack } from "../stack.ts";

/** The thief of a live key pays out to an account of their own, against the running product with mail. */

const mailbox = await openMailbox();
const stack = await startStack({ env: { dashboard: { SMTP_URL: mailbox.url } } });
afterAll(async () => {
  await stack.stop();
  await mailbox.close();
});

const account = (serial: string) => ({ bank_code: "058", account_number: nuban({ bankCode: "058", serial }) });
const SUPPLIER = account("000123451");
const THIEF = account("000999991");

test("owners and finance are mailed once of each account that is paid for the first time, whatever dies meanwhile", async () => {
  const merchant = await stack.createMerchant();
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  const { body } = await live.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Ada Obi" });
  const transfer = { account_number: body.account_number, amount: 10_000 };
  await client(stack.bankSimulatorUrl).post("/control/transfers", transfer);
  await merchant.untilReceived("live", 1);
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
  const [owner, finance, developer] = [
    await aMember(stack, merchant.id, "owner"),
    await aMember(stack, merchant.id, "finance"),
    await aMember(stack, merchant.id, "developer"),
  ];
  const pay = (to: object, reference: string) => live.post("/transfers", { ...to, amount: 100, reference });
  const mailsTo = (email: string) =>
    mailbox.mails.filter((mail) => mail.to === email && mail.subject.startsWith("First transfer"));

  expect((await pay(SUPPLIER, "supplier-1")).status).toBe(201);
  // The dashboard asks every 20 seconds.
  const untilMailed = (count: number) =>
    until("both are mailed", () => [owner, finance].every(({ email }) => mailsTo(email).length === count), 90_000);
  await untilMailed(1);
  const [mail] = mailsTo(owner.email);
  expect(mail?.text).toContain("₦100.00 to ");
  expect(mail?.text).toContain(`account ending in ${SUPPLIER.account_number.slice(-4)}. Reference supplier-1.`);
  expect(mail?.text).not.toContain(SUPPLIER.account_number);

  // A key that is stolen pays its thief, and whatever could mail it dies.
  expect((await pay(SUPPLIER, "supplier-2")).status).toBe(201);
  expect((await pay(THIEF, "theft-1")).status).toBe(201);
  await Promise.all([stack.service("dashboard").kill9(), stack.service("payments").kill9()]);
  // As if the quarter of an hour since the first mail were over.
  await stack.database("payments").query("update payees set announced_at = announced_at - interval '15 minutes'");
  await Promise.all([stack.service("dashboard").restart(), stack.service("payments").restart()]);
  await untilMailed(2);
  expect(mailsTo(owner.email)[1]?.text).toContain(`account ending in ${THIEF.account_number.slice(-4)}`);
  await until("what was announced is acknowledged", async () => {
    const { rows } = await stack.database("payments").query("select from payees where acknowledged_at is null");
    return rows.length === 0;
  });
  expect([owner, finance, developer].map(({ email }) => mailsTo(email).length)).toEqual([2, 2, 0]);
});
