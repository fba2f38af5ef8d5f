import { runSettlement } from "@collect/contracts";
import { CollectError, createClient, verifyWebhook, WebhookVerificationError } from "@collect/sdk";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { startStack } from "../stack.ts";

const stack = await startStack();
afterAll(() => stack.stop());

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

test("a public key creates a checkout from a browser, and can do nothing else", async () => {
  const { merchant } = await aDeveloper();
  const browser = createClient({ key: merchant.keys.pk_test, baseUrl: stack.baseUrl });
  const created = await browser.openCheckout({ amount: 70, reference: "order-1" });
  expect(created.checkout_url).toBe(`${stack.checkoutUrl}/pay/${created.reference}`);
  await expect(browser.getBalance()).rejects.toMatchObject({ status: 401, code: "secret_key_required" });
});
