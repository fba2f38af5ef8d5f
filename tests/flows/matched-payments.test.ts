import type { CreatedPayment } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";
import type { TestMerchant } from "../stack.ts";

const stack = await sharedStack();

/** A merchant's server in live mode, and a bank that pays into its accounts. */
async function aShop() {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const open = async (order: object) => (await api.post("/payments", order)).body as unknown as Opened;
  const get = async ({ reference }: Opened) => (await api.get(`/payments/${reference}`)).body as unknown as Opened;
  const pay = (account_number: string, amount: number) =>
    reportTransfer(stack.bankDoor, aBankTransfer({ account_number, amount }));
  return { merchant, api, open, get, pay };
}
type Opened = Pick<CreatedPayment, "reference" | "account_number" | "status" | "customer_name"> & {
  amount: number;
  amount_received: number;
  collections: { reference: string; amount: number; net: number; fee: number }[];
  return_url: string | null;
};
type Data = Record<"reference" | "payment_reference" | "merchant_reference" | "customer_name", string | null> & {
  amount: number;
  customer_reference: string | null;
};
const events = (merchant: TestMerchant) => merchant.received("live").map(({ body }) => body.data as Data);
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100;

/** A merchant that credits each reference once gets the right sum: from webhooks, from GET, and from both. */
async function proveExact({ merchant, get }: Awaited<ReturnType<typeof aShop>>, session: Opened, received: number) {
  const found = await get(session);
  const notified = events(merchant).filter(({ payment_reference }) => payment_reference === session.reference);
  const byWebhook = new Map(notified.map(({ reference, amount }) => [reference, amount]));
  const byGet = new Map(found.collections.map(({ reference, amount }) => [reference, amount]));
  const both = new Map([...byWebhook, ...byGet]);
  for (const credited of [byWebhook, byGet, both]) expect(sum([...credited.values()])).toBe(received);
  expect(found.amount_received).toBe(received);
  return found;
}

test("exact payment: redirect, GET and webhook have the same reference", async () => {
  const shop = await aShop();
  const session = await shop.open({ amount: 5000, reference: "order-1", redirect_url: "https://shop.example/?a=1" });
  expect((await shop.pay(session.account_number, session.amount)).status).toBe(200);
  await shop.merchant.untilReceived("live", 1);
  const found = await proveExact(shop, session, session.amount);
  expect([found.status, found.collections[0]?.reference]).toEqual(["paid", session.reference]);
  expect(events(shop.merchant)).toMatchObject([
    {
      reference: session.reference,
      payment_reference: session.reference,
      merchant_reference: "order-1",
      customer_reference: null,
    },
  ]);
  const page = await until("the checkout shows it", async () => {
    const { body } = await client(stack.checkoutUrl).get(`/checkout/${session.reference}`);
    return body.status === "paid" && body;
  });
  expect(page.return_url).toBe(`https://shop.example/?a=1&reference=${session.reference}`);
});

test("double payment: the second has its own reference, so a merchant that de-duplicates loses nothing", async () => {
  const shop = await aShop();
  const session = await shop.open({ amount: 5000 });
  await shop.pay(session.account_number, session.amount);
  await shop.merchant.untilReceived("live", 1);
  await shop.pay(session.account_number, session.amount);
  await shop.merchant.untilReceived("live", 2);
  const found = await proveExact(shop, session, sum([session.amount, session.amount]));
  expect(found.status).toBe("paid");
  expect(found.collections.map(({ reference }) => reference)).toEqual([
    session.reference,
    expect.stringMatching(/^col_/),
  ]);
});

test("on a customer's own account a smaller amount is underpaid, and a top-up completes it", async () => {
  const shop = await aShop();
  const session = await shop.open({ amount: 100, customer_reference: "cust_42", customer_name: "Ada Obi" });
  await shop.pay(session.account_number, 60);
  await shop.merchant.untilReceived("live", 1);
  expect((await proveExact(shop, session, 60)).status).toBe("underpaid");
  await shop.pay(session.account_number, sum([session.amount, -60]));
  await shop.merchant.untilReceived("live", 2);
  expect((await proveExact(shop, session, session.amount)).status).toBe("paid");
});

test("on a customer's own account a larger amount is overpaid", async () => {
  const shop = await aShop();
  const session = await shop.open({ amount: 100, customer_reference: "cust_42", customer_name: "Ada Obi" });
  await shop.pay(session.account_number, 150);
  await shop.merchant.untilReceived("live", 1);
  expect((await proveExact(shop, session, 150)).status).toBe("overpaid");
});

test("on a collection account another amount is credited, notified and unmatched", async () => {
  const shop = await aShop();
  const session = await shop.open({ amount: 100 });
  await shop.pay(session.account_number, 90);
  await shop.merchant.untilReceived("live", 1);
  expect(events(shop.merchant)).toMatchObject([{ payment_reference: null, reference: expect.stringMatching(/^col_/) }]);
  expect((await shop.get(session)).status).toBe("pending");
  expect((await shop.api.get("/balance")).body).toMatchObject({ collected: 89.1 });
});

test("two payers of one price are distinguished by the kobo suffix", async () => {
  const shop = await aShop();
  const [ada, bola] = [await shop.open({ amount: 750 }), await shop.open({ amount: 750 })];
  expect(ada.account_number).toBe(bola.account_number);
  await shop.pay(bola.account_number, bola.amount);
  await shop.merchant.untilReceived("live", 1);
  expect([(await shop.get(ada)).status, (await shop.get(bola)).status]).toEqual(["pending", "paid"]);
});

test("of several open sessions on a customer's account the one with the exact amount is paid, otherwise the newest", async () => {
  const shop = await aShop();
  const customer = { customer_reference: "cust_42", customer_name: "Ada Obi" };
  const [old, young] = [await shop.open({ amount: 300, ...customer }), await shop.open({ amount: 300, ...customer })];
  await shop.pay(old.account_number, old.amount);
  await shop.merchant.untilReceived("live", 1);
  expect([(await shop.get(old)).status, (await shop.get(young)).status]).toEqual(["paid", "pending"]);
  await shop.pay(old.account_number, 10);
  await shop.merchant.untilReceived("live", 2);
  expect([(await shop.get(old)).status, (await shop.get(young)).status]).toEqual(["paid", "underpaid"]);
});

test("money received after the expiry but within the watch window is paid late, and other sessions are unaffected", async () => {
  const shop = await aShop();
  const [late, other] = [await shop.open({ amount: 80 }), await shop.open({ amount: 80 })];
  await stack
    .database("payments")
    .query(
      "update sessions set created_at = created_at - interval '31 minutes', expires_at = expires_at - interval '31 minutes', watch_until = watch_until - interval '31 minutes' where reference = $1",
      [late.reference],
    );
  await until("it is expired", async () => (await shop.get(late)).status === "expired");
  await shop.pay(late.account_number, late.amount);
  await shop.merchant.untilReceived("live", 1);
  expect([(await shop.get(late)).status, (await shop.get(other)).status]).toEqual(["paid_late", "pending"]);
  await proveExact(shop, late, late.amount);
});

test("the name submitted at the checkout is the customer's name in the event", async () => {
  const shop = await aShop();
  const session = await shop.open({ amount: 100 });
  const checkout = client(stack.checkoutUrl);
  const given = await checkout.post(`/checkout/${session.reference}/details`, { name: "Bola Ade", email: "b@a.ng" });
  expect(given.body).toMatchObject({ details_required: false, account_number: session.account_number });
  await shop.pay(session.account_number, session.amount);
  await shop.merchant.untilReceived("live", 1);
  expect(events(shop.merchant)).toMatchObject([{ customer_reference: null, customer_name: "Bola Ade" }]);
});
