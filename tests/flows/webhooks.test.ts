import { createHmac } from "node:crypto";
import { setWebhookEndpoint } from "@collect/contracts";
import { until } from "@collect/testing";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { client } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";
import type { TestMerchant } from "../stack.ts";

const stack = await sharedStack();

async function aShop(webhook?: null) {
  const merchant = await stack.createMerchant({ webhook });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  await api.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  const pay = (amount: number) => api.post("/customer_accounts/cust_42/simulate_payment", { outcome: "paid", amount });
  return { merchant, pay };
}

/** Waits until this attempt has failed and is recorded, and makes the next one due. */
const retried = (merchant: TestMerchant, attempt: number) =>
  until(`attempt ${attempt} can be repeated`, async () => {
    const { rowCount } = await stack
      .database("webhooks")
      .query(
        "update deliveries set next_attempt_at = now() where merchant_id = $1 and status = 'pending' and attempts = $2",
        [merchant.id, attempt],
      );
    return rowCount === 1;
  });

test("a delivery has the headers of the specification, and the library of Standard Webhooks verifies it", async () => {
  const { merchant, pay } = await aShop();
  await pay(100);
  const [delivery] = await merchant.untilReceived("test", 1);
  const { headers = {}, raw = Buffer.alloc(0) } = delivery ?? {};
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "x-service-signature": createHmac("sha512", merchant.secrets.test).update(raw).digest("hex"),
    "x-service-event": "collection.success",
    "x-service-delivery": expect.stringMatching(/^[1-9]\d*$/),
    "x-service-sequence": "1",
    "x-service-attempt": "1",
    "webhook-id": expect.stringMatching(/./),
    "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
  });
  const verified = (secret: string) =>
    new Webhook(secret).verify(raw.toString(), { ...headers } as Record<string, string>);
  expect(verified(merchant.secrets.test)).toEqual(delivery?.body);
  expect(() => verified(merchant.secrets.live)).toThrow("No matching signature found");
});

test("each mode has its own secret and numbering", async () => {
  const { merchant, pay } = await aShop();
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  const { body } = await live.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  await pay(100);
  await client(stack.bankSimulatorUrl).post("/control/transfers", { account_number: body.account_number, amount: 7 });
  const [[inTest], [inLive]] = [await merchant.untilReceived("test", 1), await merchant.untilReceived("live", 1)];
  expect(merchant.secrets.test).not.toBe(merchant.secrets.live);
  expect([inTest?.headers["x-service-sequence"], inLive?.headers["x-service-sequence"]]).toEqual(["1", "1"]);
  expect(inTest?.headers["x-service-delivery"]).not.toBe(inLive?.headers["x-service-delivery"]);
  expect([inTest?.body.mode, inLive?.body.mode]).toEqual(["test", "live"]);
});

test("an unacknowledged delivery is retried with the same bytes and numbers, and its attempts are counted", async () => {
  const { merchant, pay } = await aShop();
  const answers = [500, 302, 204];
  stack.receiver.behave((response, { path }) => {
    const mine = path.includes(merchant.id);
    response.writeHead(mine ? (answers.shift() ?? 200) : 200, { location: `${stack.receiver.url}/elsewhere` }).end();
  });
  await pay(100);
  await merchant.untilReceived("test", 1);
  await retried(merchant, 1);
  await merchant.untilReceived("test", 2);
  await retried(merchant, 2);
  const deliveries = await merchant.untilReceived("test", 3);
  expect(deliveries.map(({ headers }) => headers["x-service-attempt"])).toEqual(["1", "2", "3"]);
  const identity = deliveries.map(({ headers, raw }) =>
    [headers["x-service-delivery"], headers["x-service-sequence"], headers["webhook-id"], raw].join(" "),
  );
  expect(new Set(identity).size).toBe(1);
  expect(stack.receiver.received.filter(({ path }) => path.includes("elsewhere"))).toEqual([]);
});

test("events without a webhook URL are recorded and numbered, and the first delivered event continues the sequence", async () => {
  const { merchant, pay } = await aShop(null);
  await pay(100);
  await pay(200);
  const url = `${stack.receiver.url}/${merchant.id}/test`;
  await stack.bus.request(setWebhookEndpoint, { merchant: { id: merchant.id, mode: "test" }, url });
  await pay(300);
  const [delivery] = await merchant.untilReceived("test", 1);
  expect([delivery?.headers["x-service-sequence"], delivery?.body.data]).toMatchObject(["3", { amount: 300 }]);
});

test.each(["not a url", "ftp://example.com/hook", "http://user:secret@example.com/hook"])(
  "a webhook URL such as %s is refused",
  async (url) => {
    const { merchant } = await aShop();
    const setting = stack.bus.request(setWebhookEndpoint, { merchant: { id: merchant.id, mode: "test" }, url });
    await expect(setting).rejects.toMatchObject({ code: "validation_failed" });
  },
);
