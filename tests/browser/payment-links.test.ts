import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createPaymentLink, setPaymentLinkDisabled } from "@collect/contracts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { expectFit } from "../stack/fit.ts";
import { sharedStack } from "../stack/shared.ts";

/** The two ways to a checkout without a merchant's server: a payment link, and a script on the merchant's page. */

const stack = await sharedStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

async function aShop() {
  const merchant = await stack.createMerchant({ name: "Ada Stores" });
  const scope = { id: merchant.id, name: merchant.name, mode: "test" as const };
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const link = (terms: object) =>
    stack.bus.request(createPaymentLink, { merchant: scope, key: randomUUID(), title: "Cooking class", ...terms });
  return { merchant, scope, api, link };
}

test("each payer of a link gets a session, enters the amount, and sees it paid; the merchant receives the event", async () => {
  const { link, merchant, api } = await aShop();
  const { url, slug } = await link({ description: "One seat" });
  const { page, faults, close } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  await page.goto(url);
  expect(await page.locator("h1").textContent()).toBe("Ada Stores");
  await expectFit(page);
  await page.getByLabel("Amount in naira").fill("15,000.50");
  await page.getByLabel("Your name").fill("Ada Obi");
  await page.getByLabel("Your email address").fill("ada@example.com");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(/\/pay\/pay_/);
  await page.getByRole("button", { name: "Paid", exact: true }).click();
  await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
  expect(faults).toEqual([]);
  await close();

  const [received] = await merchant.untilReceived("test", 1);
  const { data } = JSON.parse(String(received?.raw));
  const { body } = await api.get(`/payments/${data.payment_reference}`);
  expect(body).toMatchObject({
    status: "paid",
    opened_by: "payment_link",
    payment_link: slug,
    amount_requested: 15_000.5,
  });
});

test("a link whose last use is reserved says so, and leads the paying payer back to the payment", async () => {
  const { link } = await aShop();
  const { url } = await link({ amount: 100, uses_max: 1 });
  const { page, faults, close } = await openPage(browser, { expected: [409] });
  await page.goto(url);
  await page.getByLabel("Your name").fill("Ada Obi");
  await page.getByLabel("Your email address").fill("ada@example.com");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(/\/pay\/pay_/);
  const payment = page.url();
  await page.goto(url);
  await page.getByRole("heading", { name: "Other people are paying now" }).waitFor();
  expect(await page.locator("main").textContent()).toContain("your payment is still open there, and nothing is lost.");
  await expectFit(page);
  await page.getByRole("link", { name: "Go to your payment" }).click();
  await page.waitForURL(payment);
  await page.getByRole("button", { name: "I've sent the money" }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test("a link that is disabled, expired or used up says so on one plain page, and creates no session", async () => {
  const { link, scope } = await aShop();
  const off = await link({ amount: 100 });
  await stack.bus.request(setPaymentLinkDisabled, { merchant: scope, slug: off.slug, disabled: true });
  const { page, faults, close } = await openPage(browser, { expected: [404, 409, 410] });
  await page.goto(off.url);
  await page.getByRole("heading", { name: "This link is closed" }).waitFor();
  expect(await page.getByRole("button").count()).toBe(0);
  await page.goto(off.url.replace(off.slug, "1111111111"));
  const unknown = await page.locator("main").innerHTML();
  await page.goto(off.url.replace(off.slug, "no-slug"));
  expect(await page.locator("main").innerHTML()).toBe(unknown);
  expect(faults).toEqual([]);
  await close();
});

/** Spends the budgets of a public key, as a flood of calls from everywhere does. */
async function spendBudgets({ id }: { id: string }): Promise<void> {
  await stack.database("checkout").query(
    `insert into rate_limit_hits (key, hits, resets_at)
     select 'gate:' || action || ':test:' || $1 || ':', 1000, now() + interval '1 hour' from unnest(array['open', 'slot']) as action`,
    [id],
  );
}

test.each([
  ["one script tag and a public key open a checkout in a window, and report its status to the merchant's page", false],
  ["under pressure the same works unseen: both pages solve the proofs of work that they are asked for", true],
])("%s", async (_what, isUnderPressure) => {
  const { merchant, api } = await aShop();
  if (isUnderPressure) await spendBudgets(merchant);
  const shop = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>Shop</title><button>Pay</button><output></output>
      <script src="${stack.checkoutUrl}/checkout.js"></script>
      <script>
        const told = [];
        document.querySelector("button").onclick = () => Collect.checkout({
          key: "${merchant.keys.pk_test}", amount: 1250, reference: "order-9",
          onStatus({ status }) {
            told.push(status);
            document.querySelector("output").textContent = told.join(" ");
            if (status === "pending") throw new Error("a mistake of the merchant's page");
          },
          onError: ({ code }) => told.push(code),
        });
      </script>`);
  }).listen(0, "127.0.0.1");
  await once(shop, "listening");
  const address = shop.address();
  const port = typeof address === "object" && address ? address.port : 0;

  const { page, faults, close } = await openPage(browser, { expected: isUnderPressure ? [404, 429] : [404] });
  await page.goto(`http://127.0.0.1:${port}/`);
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.getByRole("button", { name: "Pay" }).click()]);
  await popup.waitForURL(/\/pay\/pay_/);
  await popup.getByLabel("Your name").fill("Ada Obi");
  await popup.getByLabel("Your email address").fill("ada@example.com");
  await popup.getByRole("button", { name: "Continue" }).click();
  await popup.getByRole("button", { name: "Paid", exact: true }).click();
  await popup.getByRole("heading", { name: "Paid", exact: true }).waitFor();
  await expect.poll(() => page.locator("output").textContent()).toMatch(/^pending.* paid$/);

  const reference = /pay_\w+/.exec(popup.url())?.[0];
  expect((await api.get(`/payments/${reference}`)).body).toMatchObject({ status: "paid", opened_by: "public_key" });

  // A reloaded page gets the paid session again, and does not ask for the money twice.
  await page.reload();
  const [again] = await Promise.all([page.waitForEvent("popup"), page.getByRole("button", { name: "Pay" }).click()]);
  await again.waitForURL(popup.url());
  await again.getByRole("heading", { name: "Paid", exact: true }).waitFor();
  expect(faults).toEqual(["error: a mistake of the merchant's page"]);
  await close();
  shop.close();
});
