import { nuban } from "@collect/bank";
import { runSettlement } from "@collect/contracts";
import { expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { inOrder } from "../stack/merchant.ts";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

const branch = { branch: "yaba" };
const order = { order: "17", note: "two\nlines" };
const customer = { customer_reference: "cust_42", customer_name: "Ada Obi" };

test("a merchant finds its own values in the event of the money, with who paid, and reads the same again", async () => {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const { body: account } = await api.post("/customer_accounts", { ...customer, metadata: branch });
  const form = { amount: "500", reference: "order-17", "metadata[order]": order.order, "metadata[note]": order.note };
  const { body: session } = await api.send("POST", "/payments", { form });
  expect([account.metadata, session.metadata]).toEqual([branch, order]);

  await api.post("/customer_accounts/cust_42/simulate_payment", { outcome: "paid", amount: 100, payer_name: "Bola" });
  await api.post("/sandbox/pay", { outcome: "paid", payment_reference: session.reference, payer_name: "Bola" });
  const events = inOrder(await merchant.untilReceived("test", 2));
  for (const [n, metadata] of [branch, order].entries()) {
    const data = Object(events[n]?.body.data);
    expect(data).toMatchObject({ metadata, payer: { name: "Bola" }, payer_name: "Bola" });
    expect((await api.get(`/collections/${data.reference}`)).body).toMatchObject(data);
  }
  expect((await api.get("/customer_accounts/cust_42")).body).toEqual(account);
  expect((await api.get(`/payments/${session.reference}`)).body).toMatchObject({ status: "paid", metadata: order });
});

test("the events of a transfer have the metadata of its order", async () => {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  await api.post("/customer_accounts", customer);
  await api.post("/customer_accounts/cust_42/simulate_payment", { outcome: "paid", amount: 1_000 });
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "test" } });
  const beneficiary = { bank_code: "000", account_number: nuban({ bankCode: "000", serial: "000000011" }) };
  const { body } = await api.post("/transfers", { amount: 10, ...beneficiary, reference: "payout-1", metadata: order });
  expect(body.metadata).toEqual(order);
  const [, event] = inOrder(await merchant.untilReceived("test", 2));
  expect(event?.body).toMatchObject({
    event: "transfer.success",
    data: { reference: body.reference, metadata: order },
  });
  expect((await api.get(`/transfers/${body.reference}`)).body).toEqual(event?.body.data);
});

test("100 transfers at once and whole pages arrive with all the metadata that can be sent", async () => {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  // Each quotation mark is two bytes in JSON, and four in the body of an event that is a string in a page of events.
  const keys = Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(40, "k"));
  const metadata = Object.fromEntries(keys.map((key) => [key, '"'.repeat(500)]));
  const { body: account } = await api.post("/customer_accounts", { ...customer, metadata });
  const account_number = String(account.account_number);
  const reports = Array.from({ length: 100 }, (_, n) => aBankTransfer({ account_number, amount: 100 + n }));
  const answers = await Promise.all(reports.map((report) => reportTransfer(stack.bankDoor, report)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const events = await merchant.untilReceived("live", 100);
  for (const { body } of events) expect(Object(body.data).metadata).toEqual(metadata);
  for (const path of ["/events", "/collections"]) {
    const { status, text, body } = await api.get(`${path}?limit=100`);
    expect([status, body.data]).toMatchObject([200, { length: 100 }]);
    expect(text.length).toBeGreaterThan(1_000_000);
  }
}, 60_000);
