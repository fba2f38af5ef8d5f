import {
  checkPartners,
  checkPayoutPartners,
  choosePartner,
  endPayout,
  findPartnerTransfer,
  listPartners,
  listUnansweredPayouts,
  Problem,
  repeatPayout,
  reportMissedTransfer,
  SERVICES,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { AMOUNT, openShop, payoutsAt, SETTLED } from "../faults/shop.ts";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client, refusalIn } from "../stack/client.ts";
import { BUSINESS_BVN, partnersOf, SIMULATED_PARTNERS } from "../stack/partners.ts";
import { placesOf } from "../stack/places.ts";
import { startStack } from "../stack.ts";

const stack = await startStack({ env: { "bank-simulator": SIMULATED_PARTNERS } });
afterAll(() => stack.stop());

const providus = client(`${stack.bankSimulatorUrl}/providus/control`);
const own = client(`${stack.bankSimulatorUrl}/control`);
const { accounts: ACCOUNTS, payments: PAYMENTS } = partnersOf(stack);
await stack.service("accounts").restart({ env: ACCOUNTS });
await stack.service("payments").restart({ env: PAYMENTS });

type Shop = Awaited<ReturnType<typeof openShop>>;
const aCustomer = async ({ api }: Pick<Shop, "api">, customer_reference: string) =>
  (await api.post("/customer_accounts", { customer_reference, customer_name: "Ada Obi" })).body;
const choose = ({ merchant }: Pick<Shop, "merchant">, partner: string | null) =>
  stack.bus.request(choosePartner, { merchant_id: merchant.id, partner });
const untilReady = () =>
  until("accounts are ready at Providus", async () => {
    const { partners } = await stack.bus.request(listPartners, {});
    return partners.some(({ pool }) => (pool?.free ?? 0) > 0);
  });
/** References of customers with what was credited to each, in the order of the events. */
const credited = async ({ merchant }: Pick<Shop, "merchant">, count: number) =>
  (await merchant.untilReceived("live", count))
    .map(({ body }) => body.data as { customer_reference: string; amount: number })
    .map(({ customer_reference, amount }) => [customer_reference, amount]);

test("an operator moves a merchant to another partner, and its customers are credited at both", async () => {
  for (const check of [checkPartners, checkPayoutPartners]) {
    const { partners } = await stack.bus.request(check, {});
    expect(partners.map(({ id, checks }) => [id, checks.every(({ is_ok }) => is_ok)])).toEqual([
      ["729", true],
      ["providus", true],
      ["monnify", true],
    ]);
  }
  const shop = await openShop(stack);
  const first = await aCustomer(shop, "cust_1");
  await choose(shop, "providus");
  await untilReady();
  const second = await aCustomer(shop, "cust_2");
  expect([first.bank_name, second.bank_name]).toEqual(["Harbour Bank", "Providus Bank"]);
  expect(await aCustomer(shop, "cust_1")).toEqual(first);

  await reportTransfer(stack.bankDoor, aBankTransfer({ account_number: String(first.account_number), amount: 100 }));
  const sent = await providus.post("/transfers", { account_number: second.account_number, amount: 200.5 });
  expect(JSON.stringify(sent.body)).toContain('"responseCode":"00"');
  expect((await credited(shop, 3)).slice(1).toSorted()).toEqual([
    ["cust_1", 100],
    ["cust_2", 200.5],
  ]);
  await choose(shop, null);
  expect((await aCustomer(shop, "cust_3")).bank_name).toBe("Harbour Bank");
});

test("Providus' signature over another body credits what the bank confirms, and nothing that never came", async () => {
  const shop = await openShop(stack);
  await choose(shop, "providus");
  await untilReady();
  const { account_number } = await aCustomer(shop, "cust_1");
  const claims = { transactionAmount: "9999999", settledAmount: "9999999" };
  await providus.post("/transfers", { account_number, amount: 50, claims });
  expect((await credited(shop, 2)).at(-1)).toEqual(["cust_1", 50]);
  const forged = await providus.post("/notifications", {
    ...{ settlementId: "never-came", sessionId: "0", accountNumber: account_number, transactionAmount: "100" },
  });
  expect(JSON.stringify(forged.body)).toContain('"responseCode":"03"');
  const rows = "select 1 from inbound_transfers where bank_transfer_id = 'never-came'";
  expect((await stack.database("accounts").query(rows)).rows).toEqual([]);
  expect(stack.logs("accounts")).toContain('"report_differs"');
});

test("Monnify gets the customer's BVN, which is kept nowhere, and a customer without one gets no account there", async () => {
  const shop = await openShop(stack);
  await choose(shop, "monnify");
  const customer = { customer_reference: "cust_1", customer_name: "Ada Obi" };
  expect(refusalIn(await shop.api.post("/customer_accounts", customer))).toMatchObject({ code: "identity_required" });
  const order = { amount: 100, reference: "order-1", ...customer };
  expect(refusalIn(await shop.api.post("/payments", order))).toMatchObject({ code: "identity_required" });
  const bvn = "22215937046";
  const { status, body: account } = await shop.api.post("/customer_accounts", { ...customer, bvn });
  expect([status, (await shop.api.post("/payments", order)).body.account_number]).toEqual([
    201,
    account.account_number,
  ]);
  await client(`${stack.bankSimulatorUrl}/monnify/control`).post("/transfers", {
    ...{ account_number: account.account_number, amount: 100 },
  });
  expect((await credited(shop, 2)).at(-1)).toEqual(["cust_1", 100]);
  // An account of the merchant itself is opened with the BVN of the business.
  const { body: session } = await shop.api.post("/payments", { amount: 200, reference: "order-2" });
  expect(session.account_number).toEqual(expect.stringMatching(/^\d{10}$/));
  for (const number of [bvn, BUSINESS_BVN]) {
    expect(await placesOf(stack, number)).toEqual([]);
    for (const service of SERVICES) expect(stack.logs(service)).not.toContain(number);
  }
});

test("the default moves with the configuration: payouts go out by the new partner, and what the old one owes an answer ends there", async () => {
  const shop = await openShop(stack);
  await own.post("/payouts", { begin: "pending", times: 1 });
  const waiting = await shop.send(0);
  await until("the bank has it", async () => (await payoutsAt(stack)).some(({ id }) => id === waiting));
  await stack.service("payments").restart({ env: { ...PAYMENTS, BANK_PARTNER: "providus" } });
  await stack.service("accounts").restart({ env: { ...ACCOUNTS, BANK_PARTNER: "providus" } });

  const sent = await shop.send(1);
  const status = async (reference: string) => (await shop.api.get(`/transfers/${reference}`)).body.status;
  await until("Providus has paid", async () => (await status(sent)) === "success");
  const books = async () => JSON.stringify((await providus.get("/payouts")).body);
  expect(await books()).toContain(sent);
  expect(await status(waiting)).toBe("pending");
  await own.post(`/payouts/${waiting}`, { status: "success" });
  await stack.database("payments").query("update transfers set next_at = now() where next_at > now()");
  await until("the other has ended", async () => (await status(waiting)) === "success");
  expect(await books()).not.toContain(waiting);
  expect((await payoutsAt(stack)).map(({ id, times_sent }) => [id, times_sent])).toEqual([[waiting, 1]]);

  // A session on an account of the merchant itself, which is at the new partner as well.
  await untilReady();
  const { body: payment } = await shop.api.post("/payments", { amount: AMOUNT, reference: "order-1" });
  await providus.post("/transfers", { account_number: payment.account_number, amount: payment.amount });
  await until("it is paid", async () => (await shop.api.get(`/payments/${payment.reference}`)).body.status === "paid");
});

test("a payout that Providus never got is ended or ordered again, and one that it executed unsaid is paid once all the same", async () => {
  await stack.service("accounts").restart({ env: ACCOUNTS });
  const shop = await openShop(stack);
  const payments = stack.database("payments");
  const unanswered = async (n: number, behaviour: "fail" | "cut") => {
    await providus.post("/behaviour", { operation: "payout", behaviour, times: 1 });
    const reference = await shop.send(n);
    const asked = "select 1 from transfers where reference = $1 and step = 'sending' and attempts > 0";
    await until("it is asked about", async () => (await payments.query(asked, [reference])).rows.length > 0);
    await payments.query("update transfers set sent_at = now() - interval '11 minutes' where reference = $1", [
      reference,
    ]);
    return reference;
  };
  const lost = await unanswered(0, "fail");
  const dropped = await unanswered(1, "fail");
  await providus.post("/payouts", { order: "00", status: "01", times: 1 });
  const unsaid = await unanswered(2, "cut");
  const listed = await stack.bus.request(listUnansweredPayouts, {});
  expect(listed.payouts.map(({ reference }) => reference)).toEqual([lost, dropped, unsaid]);

  const about = (reference: string) => ({
    ...{ merchant_id: shop.merchant.id, reference, reason: "A mail of the bank" },
    sent_at: listed.payouts.find((payout) => payout.reference === reference)?.sent_at ?? null,
  });
  expect(await stack.bus.request(repeatPayout, about(lost))).toEqual({ reference: lost, status: "success" });
  expect(await stack.bus.request(repeatPayout, about(unsaid))).toEqual({ reference: unsaid, status: "pending" });
  await stack.bus.request(endPayout, { ...about(dropped), bank_reference: null });
  const untilStatus = (reference: string, status: string) =>
    until(`${reference} is ${status}`, async () => {
      await payments.query("update transfers set next_at = now() where reference = $1 and step = 'sending'", [
        reference,
      ]);
      return (await shop.api.get(`/transfers/${reference}`)).body.status === status;
    });
  await untilStatus(lost, "success");
  await untilStatus(dropped, "failed");
  await providus.post(`/payouts/${unsaid}`, { status: "00" });
  await untilStatus(unsaid, "success");
  const paid = JSON.stringify((await providus.get("/payouts")).body);
  expect([lost, dropped, unsaid].map((reference) => paid.split(`"${reference}"`).length - 1)).toEqual([1, 0, 1]);
  expect((await shop.api.get("/balance")).body).toMatchObject({ settled: SETTLED - 2 * AMOUNT });
});

/** A line of our account at Providus, whose statement shows what arrived. */
async function aLineOfProvidus(sessionId: string, arrived: number): Promise<string> {
  const { rows } = await stack.database("statements").query(
    `with account as (insert into bank_accounts (number, bank, pays_out) values ('1700313889', 'providus', true) returning number),
       file as (insert into files (hash, name, imported_by) values (repeat('0', 64), 'november.xml', 'ngozi') returning hash),
       statement as (insert into statements (account, file, number, from_on, to_on, opening, closing, line_count)
         select number, hash, '1', current_date, current_date, 0, $2::bigint, 1 from account, file returning id, account)
     insert into lines (statement_id, position, account, booked_on, value_on, amount, session_id, refs, narration, is_charge)
       select id, 1, account, current_date, current_date, $2::bigint, $1, array[$1], 'FROM ADA', false from statement returning id::text`,
    [sessionId, arrived],
  );
  return rows[0].id;
}

test("a transfer that Providus never notified is credited as the bank says when it is asked, and to no other account", async () => {
  const shop = await openShop(stack);
  await choose(shop, "providus");
  await untilReady();
  const [payee, other] = [await aCustomer(shop, "payee"), await aCustomer(shop, "other")];
  const { body } = await providus.post("/transfers", { account_number: payee.account_number, amount: 1_000, times: 0 });
  const [{ transfer }] = body.transfers as [{ transfer: Record<"settlementId" | "sessionId", string> }];
  const { settlementId, sessionId } = transfer;
  const sought = { bank: "providus", session_id: sessionId };
  const { transfer: said } = await stack.bus.request(findPartnerTransfer, sought);
  expect(said).toMatchObject({
    bank_transfer_id: settlementId,
    account_number: payee.account_number,
    amount: "100000",
  });
  const line = await aLineOfProvidus(sessionId, Number(said?.arrived));
  const right = { bank_transfer_id: settlementId, account_number: String(payee.account_number), amount: "100000" };
  const offer = (wrong: Partial<typeof right>) =>
    stack.bus
      .request(reportMissedTransfer, { line, ...right, ...wrong, payer_name: "", paid_at: null })
      .then(({ status }) => status)
      .catch((error: unknown) => error instanceof Problem && error.code);
  const refused = [
    { account_number: String(other.account_number) },
    { amount: "190000" },
    { amount: said?.arrived ?? "" },
    { bank_transfer_id: "x2" },
  ];
  const outcomes = [];
  for (const wrong of refused) outcomes.push(await offer(wrong));
  expect(outcomes).toEqual([...Array(3).fill("offer_contradicts_partner"), "not_found"]);
  expect(await offer({})).toBe("accepted");
  // The bank notifies it after all.
  await providus.post("/transfers", {
    settlement_id: settlementId,
    account_number: payee.account_number,
    amount: 1_000,
  });
  expect(await offer({})).toBe("duplicate");
  expect((await credited(shop, 2)).slice(1)).toEqual([["payee", 1_000]]);
  const { rows } = await stack
    .database("accounts")
    .query("select amount, amount - bank_fee - bank_vat as arrived from inbound_transfers where session_id = $1", [
      sessionId,
    ]);
  expect(rows).toEqual([{ amount: 100_000n, arrived: BigInt(said?.arrived ?? 0) }]);
});
