import { until } from "@collect/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";

/** A new merchant from the sign-up page to the replay of a webhook, in a real browser. */

const stack = await sharedStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

test("a new user signs up, creates keys, sets a webhook, simulates a payment, sees its webhook delivered, and resends it", async () => {
  const { page, faults, close } = await openPage(browser, { expected: [401, 403] });
  const password = "three blue kettles";
  await signUp(page, password);
  const home = new URL(page.url()).pathname.replace("/get-started", "");
  const merchantId = home.split("/")[2] ?? "";

  await page.getByRole("link", { name: "Create test keys" }).first().click();
  const alert = page.getByRole("status").filter({ hasText: "Your test secret key" });
  const key = /sk_test_\w+/.exec((await alert.textContent()) ?? "")?.[0] ?? "";
  const api = client(stack.baseUrl, key);
  expect((await api.get("/balance")).status).toBe(200);
  await page.reload();
  await page.getByText("Secret key").first().waitFor();
  expect(await page.locator("body").textContent()).not.toContain(key);

  const hook = `${stack.receiver.url}/${merchantId}/test`;
  await page.getByRole("tab", { name: "Webhook" }).click();
  await page.getByRole("textbox", { name: "Webhook URL" }).fill(hook);
  await page.getByRole("button", { name: "Save URL" }).click();
  const confirmation = page.getByRole("dialog", { name: "Confirm that it's you" });
  await Promise.race([confirmation.waitFor(), page.getByRole("button", { name: "Send test event" }).waitFor()]);
  if (await confirmation.isVisible()) {
    await confirmation.getByRole("textbox", { name: "Password" }).fill(password);
    await confirmation.getByRole("button", { name: "Confirm" }).click();
  }
  await page.getByRole("button", { name: "Send test event" }).waitFor();

  await page.goto(`${stack.dashboardUrl}${home}/get-started`);
  await unfold(page, /Issue an account to a customer/, "Issue account");
  await page.getByText("Account issued").waitFor();
  await unfold(page, /Simulate a payment/, "Simulate payment");
  await page.getByText("₦2,500.00 arrived").waitFor();
  await page.getByText(/5 of 6 done|All steps completed/).waitFor();

  await page.getByRole("link", { name: "View collection" }).click();
  await page.getByText(/delivered on attempt 1/i).waitFor();
  const received = () => stack.receiver.received.filter(({ path }) => path === `/hook/${merchantId}/test`);
  expect(received()).toHaveLength(1);

  await page.goto(`${stack.dashboardUrl}${home}/developers/events/1`);
  await page.getByRole("button", { name: "Resend" }).click();
  await page.getByText(/Resending as delivery/).waitFor();
  await expect.poll(() => received().length).toBe(2);
  const [first, again] = received();
  expect(String(again?.raw)).toBe(String(first?.raw));
  expect(again?.headers["x-service-delivery"]).toBe(first?.headers["x-service-delivery"]);
  expect(faults).toEqual([]);
  await close();
});

/** Opens a step, unless it is open already: the next one opens by itself, perhaps just before a click, which then closes it. */
async function unfold(page: Page, step: RegExp, inside: string): Promise<void> {
  const control = page.getByRole("button", { name: step });
  await until(`${inside} is there`, async () => {
    if ((await control.getAttribute("aria-expanded")) === "true") return true;
    await control.click();
    return false;
  });
  await page.getByRole("button", { name: inside }).click();
}

async function signUp(page: Page, password: string): Promise<void> {
  await page.goto(`${stack.dashboardUrl}/sign-up`);
  await page.getByLabel("Your name").fill("Ada Obi");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByLabel("Business name").fill("Ada Stores");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Get started" }).waitFor();
}
