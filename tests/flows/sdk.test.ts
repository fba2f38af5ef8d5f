import { runSettlement } from "@collect/contracts";
import { CollectError, createClient, signTestWebhook, verifyWebhook, WebhookVerificationError } from "@collect/sdk";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

/** A merchant's developer who uses only the SDK. */
async function aDeveloper() {
  const merchant = await stack.createMerchant();
  const collect = createClient({ key: merchant.keys.sk_test, baseUrl: stack.baseUrl });
  return { merchant, collect };
}

test("from the first account to the credited event, with the SDK alone", async () => {
  const { merchant, collect } = await aDeveloper();
  const account = await collect.issueCustomerAccount({ customer_reference: "cust_42", customer_name: "Ada Obi" });
  const payment = await collect.openPayment({ amount: 2500, reference: "order-1", customer_reference: "cust_42" });
  expect(payment.account_number).toBe(account.account_number);
  await collect.sandboxPay({ outcome: "paid", payment_reference: payment.reference });
  const [delivery] = await merchant.untilReceived("test", 1);
  const event = verifyWebhook(delivery?.raw ?? "", delivery?.headers ?? {}, merchant.secrets.test);
  expect(event).toMatchObject({
    event: "collection.success",
    data: { reference: payment.reference, customer_reference: "cust_42", merchant_reference: "order-1" },
  });
  const paid = await collect.getPayment(payment.reference);
  expect(paid).toMatchObject({ status: "paid", collections: [{ reference: event.data.reference }] });
  expect(() => verifyWebhook(delivery?.raw ?? "", delivery?.headers ?? {}, merchant.secrets.live)).toThrow(
    WebhookVerificationError,
  );
});

test("a transfer and its event; a refusal is thrown with its code", async () => {
  const { merchant, collect } = await aDeveloper();
  const order = { amount: 50, bank_code: "000", account_number: "0000000017", reference: "payout-1" };
  const refused = await collect.createTransfer(order).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CollectError);
  expect(refused).toMatchObject({ status: 422, code: "insufficient_balance", requestId: expect.any(String) });
  await collect.sandboxPay({ outcome: "paid", amount: 100 });
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "test" } });
  const transfer = await collect.createTransfer(order);
  const completed = await until("it has completed", async () => {
    const found = await collect.getTransfer(transfer.reference);
    return found.status === "success" && found;
  });
  const delivery = await until("the event is delivered", () =>
    merchant.received("test").find(({ headers }) => headers["x-service-event"] === "transfer.success"),
  );
  expect(verifyWebhook(delivery.raw, delivery.headers, merchant.secrets.test).data).toEqual(completed);
});

test("the event log is followed as it is written, and a response says what is left of the budget", async () => {
  const { merchant, collect } = await aDeveloper();
  const ending = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const { sequence, reference } of collect.followEvents({ signal: ending.signal }))
      seen.push(`${sequence} ${reference}`);
  })();
  const sent: string[] = [];
  for (const amount of [10, 20, 30]) {
    const { reference } = await collect.sandboxPay({ outcome: "paid", amount });
    await until("the event is followed", () => seen.length > sent.length);
    sent.push(`${sent.length + 1} ${reference}`);
  }
  ending.abort();
  await following;
  expect(seen).toEqual(sent);

  const amounts: number[] = [];
  for await (const { amount } of collect.listCollections({ limit: 2 })) amounts.push(amount);
  expect(amounts).toEqual([30, 20, 10]);
  const { response } = await collect.getBalance().withResponse();
  expect(response).toMatchObject({
    status: 200,
    requestId: expect.any(String),
    rateLimit: { name: "reads", limit: 600 },
  });
  expect(response.rateLimit?.remaining).toBeLessThan(600);
  const other = createClient({ key: merchant.keys.sk_test, baseUrl: stack.baseUrl });
  await expect(other.followEvents({ after_sequence: 99 }).next()).rejects.toMatchObject({ code: "event_gap" });
});

test("a list is iterated to its end over several pages", async () => {
  const { collect } = await aDeveloper();
  const issued = ["a", "b", "c", "d", "e"];
  for (const customer_reference of issued)
    await collect.issueCustomerAccount({ customer_reference, customer_name: "Ada Obi" });
  const found: string[] = [];
  for await (const { customer_reference } of collect.listCustomerAccounts({ limit: 2 })) found.push(customer_reference);
  expect(found.toSorted()).toEqual(issued);
});

test("a signed test event has the headers of a real delivery, to the byte", async () => {
  const { merchant, collect } = await aDeveloper();
  await collect.sandboxPay({ outcome: "paid", amount: 100 });
  const [delivery] = await merchant.untilReceived("test", 1);
  if (!delivery) throw new Error("no delivery");
  const number = (name: string) => Number(delivery.headers[name]);
  const { body, headers } = signTestWebhook(delivery.raw.toString(), merchant.secrets.test, {
    sequence: number("x-service-sequence"),
    delivery: number("x-service-delivery"),
    attempt: number("x-service-attempt"),
    id: String(delivery.headers["webhook-id"]),
    at: new Date(number("webhook-timestamp") * 1_000),
  });
  expect(Buffer.from(body)).toEqual(delivery.raw);
  const ofTheConnection = ["host", "connection", "content-length", "transfer-encoding"];
  const sent = Object.entries(delivery.headers).filter(([name]) => !ofTheConnection.includes(name));
  expect(headers).toEqual(Object.fromEntries(sent));
});

test("a public key creates a checkout from a browser, and can do nothing else", async () => {
  const { merchant } = await aDeveloper();
  const browser = createClient({ key: merchant.keys.pk_test, baseUrl: stack.baseUrl });
  const created = await browser.openCheckout({ amount: 70, reference: "order-1" });
  expect(created.checkout_url).toBe(`${stack.checkoutUrl}/pay/${created.reference}`);
  await expect(browser.getBalance()).rejects.toMatchObject({ status: 401, code: "secret_key_required" });
});
