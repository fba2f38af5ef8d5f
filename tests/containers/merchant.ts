import { createHmac, randomUUID } from "node:crypto";
import { CheckoutSession, CreatedPayment, CustomerAccount, type Mode } from "@collect/contracts";
import { until } from "@collect/testing";
import { z } from "zod";
import { check } from "./check.ts";
import type { Deployment } from "./compose.ts";

const Created = z.object({
  merchant_id: z.string(),
  keys: z.record(z.string(), z.string()),
  webhook: z.object({ secret: z.string() }),
});
const SetWebhook = z.object({ webhook: z.object({ secret: z.string() }) });

export type Merchant = { id: string; keys: Record<string, string>; secrets: Record<Mode, string> };

/** By the operator's command line, the only way in. */
export async function createMerchant(deployment: Deployment): Promise<Merchant> {
  const ops = async (...args: string[]) => JSON.parse(await deployment.ops([...args, "--json"]));
  const url = (mode: Mode) => `http://receiver:8080/${mode}`;
  const created = Created.parse(await ops("merchant", "create", "--name", "Ada Stores", "--webhook-url", url("test")));
  const verified = Created.parse(await ops("merchant", "verify", created.merchant_id, "--despite-name"));
  const live = SetWebhook.parse(
    await ops("webhook", "set", created.merchant_id, "--mode", "live", "--url", url("live")),
  );
  return {
    id: created.merchant_id,
    keys: { ...created.keys, ...verified.keys },
    secrets: { test: created.webhook.secret, live: live.webhook.secret },
  };
}

/** An account is issued, money arrives, and one signed webhook names the customer. In live mode the money comes from the bank. */
export async function collect(deployment: Deployment, { keys, secrets }: Merchant, mode: Mode): Promise<void> {
  const call = caller(deployment, keys[`sk_${mode}`]);
  const customer = `customer-${mode}`;
  const account = CustomerAccount.parse(
    await call("POST", "/customer_accounts", { customer_reference: customer, customer_name: "Ada Obi" }),
  );
  const amount = 2500.73;
  if (mode === "test")
    await call("POST", `/customer_accounts/${customer}/simulate_payment`, { outcome: "paid", amount });
  else await sendByBank(deployment, { account_number: account.account_number, amount });
  const { data } = await webhookOf(
    deployment,
    { mode, secret: secrets[mode] },
    (each) => each.customer_reference === customer,
  );
  check(data.amount === amount && data.account_number === account.account_number, `it says ${JSON.stringify(data)}`);
}

/** A payer on the checkout page, until the page says that it is paid. */
export async function payOnCheckout(deployment: Deployment, { keys, secrets }: Merchant): Promise<void> {
  const call = caller(deployment, keys.sk_test);
  const order = { amount: 12_500, reference: "order-1", customer_name: "Ada Obi", description: "Two tickets" };
  const payment = CreatedPayment.parse(await call("POST", "/payments", order));
  const page = await fetch(payment.checkout_url);
  check(
    page.status === 200 && (await page.text()).includes(payment.account_number.slice(-4)),
    "the page has no account",
  );
  await call("POST", "/sandbox/pay", { outcome: "paid", payment_reference: payment.reference });
  await webhookOf(
    deployment,
    { mode: "test", secret: secrets.test },
    (each) => each.payment_reference === payment.reference,
  );
  await until("the checkout shows the session as paid", async () => {
    const response = await fetch(`${deployment.url(4100)}/checkout/${payment.reference}`);
    return CheckoutSession.parse(await response.json()).status === "paid";
  });
}

/** Calls the API; anything but success is an error. */
export function caller(deployment: Deployment, key = "") {
  return async (method: "GET" | "POST", path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${deployment.url(4000)}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    check(response.ok, `${method} ${path} returned ${response.status}: ${text}`);
    return JSON.parse(text);
  };
}

async function sendByBank({ url }: Deployment, transfer: { account_number: string; amount: number }): Promise<void> {
  const body = JSON.stringify({ id: `transfer-${randomUUID()}`, payer_name: "Funke Lawal", ...transfer });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url(4400)}/control/transfers`, { method: "POST", headers, body });
  check(response.ok, `the bank returned ${response.status}: ${await response.text()}`);
}

const Webhook = z.object({ event: z.string(), data: z.record(z.string(), z.unknown()) });
type About = (data: Record<string, unknown>) => boolean;

/** The one webhook about it, whose signature is checked over its bytes. */
export async function webhookOf(
  deployment: Deployment,
  { mode, secret }: { mode: Mode; secret: string },
  isAbout: About,
) {
  const found = await until(`a webhook in ${mode} mode`, async () => {
    const received = (await deployment.received()).filter(({ path }) => path === `/${mode}`);
    const about = received.filter(({ raw }) => {
      const { event, data } = Webhook.parse(JSON.parse(raw.toString()));
      return event === "collection.success" && isAbout(data);
    });
    return about.length > 0 && about;
  });
  const [{ raw, signature } = { raw: Buffer.of(), signature: "" }] = found;
  check(found.length === 1, `${found.length} webhooks came`);
  check(signature === createHmac("sha512", secret).update(raw).digest("hex"), "its signature does not match its bytes");
  return Webhook.parse(JSON.parse(raw.toString()));
}
