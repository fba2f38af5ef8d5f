import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { expectFit } from "../stack/fit.ts";
import { sharedStack } from "../stack/shared.ts";

/** A press on the checkout that does not arrive: the payer keeps the account to pay into, and is told to press again. */

const stack = await sharedStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

const PHONE = { viewport: { width: 320, height: 640 } };
const sentButton = (page: Page) => page.getByRole("button", { name: "I've sent the money" });
const waiting = (page: Page) => page.getByRole("heading", { name: "Looking for your transfer…" });

async function aSession() {
  const { keys } = await stack.createMerchant({ name: "Ada Stores" });
  const api = client(stack.baseUrl, keys.sk_test);
  const { body } = await api.post("/payments", { amount: 2_500, customer_name: "Ada Obi" });
  const pay = () => api.post("/sandbox/pay", { outcome: "paid", payment_reference: body.reference });
  return { url: String(body.checkout_url), account: String(body.account_number), pay };
}

const NOTICE = '<!doctype html><title>No</title><main><h1 id="state">That did not work</h1></main>';
const FAILURES: { failure: string; answer: Parameters<Route["fulfill"]>[0] }[] = [
  { failure: "a limit", answer: { status: 429, contentType: "text/html", body: NOTICE } },
  { failure: "a service that is away", answer: { status: 503, contentType: "text/html", body: NOTICE } },
  { failure: "a proxy without a page", answer: { status: 502, contentType: "text/plain", body: "Bad gateway" } },
];

test.each(FAILURES)("after $failure the card stays, says so, and still shows the payment live", async ({ answer }) => {
  const { url, account, pay } = await aSession();
  const { page, faults, close } = await openPage(browser, { ...PHONE, expected: [Number(answer?.status)] });
  await page.route("**/sent", (route) => route.fulfill(answer));
  await page.goto(url);
  await sentButton(page).click();
  const alert = page.getByText("We didn't get that. Press again in a moment.");
  await alert.waitFor();
  expect(await page.locator(".number").textContent()).toBe(account);
  await expectFit(page);
  await pay();
  await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
  await alert.waitFor({ state: "hidden" });
  expect(faults).toEqual([]);
  await close();
});

test("a refusal that is final is shown instead of the card", async () => {
  const { url } = await aSession();
  const { page, close } = await openPage(browser, PHONE);
  await page.route("**/sent", (route) => route.fulfill({ status: 403, contentType: "text/html", body: NOTICE }));
  await page.goto(url);
  await sentButton(page).click();
  await page.getByRole("heading", { name: "That did not work" }).waitFor();
  expect(await page.locator("#unsent").isVisible()).toBe(false);
  await close();
});

test("a press without a connection is not sent later: the payer is told to press again, until the press arrives", async () => {
  const { url } = await aSession();
  const { page, close } = await openPage(browser, PHONE);
  // So that it polls, by which it knows that it is offline.
  await page.route("**/live*", (route) => route.fulfill({ status: 503 }));
  await page.goto(url);
  await page.context().setOffline(true);
  await sentButton(page).click();
  const alert = page.getByText("We didn't get that. Press again in a moment.");
  await alert.waitFor();
  await page.locator("#connection:not([hidden])").waitFor({ state: "attached" });
  await page.context().setOffline(false);
  await page.locator("#connection[hidden]").waitFor({ state: "attached" });
  expect(await alert.isVisible()).toBe(true);
  await sentButton(page).click();
  await waiting(page).waitFor();
  await alert.waitFor({ state: "hidden" });
  await close();
});
