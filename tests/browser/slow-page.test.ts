import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { aMember, cookiesFor, type Person } from "../stack/person.ts";
import { sharedStack } from "../stack/shared.ts";
import type { TestMerchant } from "../stack.ts";

/** The dashboard on a slow network, and while a service behind it is away. */

const stack = await sharedStack();
let browser: Browser;
let merchant: TestMerchant;
let person: Person;
beforeAll(async () => {
  browser = await launchBrowser();
  merchant = await stack.createMerchant({ name: "Ada Stores" });
  person = await aMember(stack, merchant.id, "owner");
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  await api.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Chidi Okafor" });
  await api.post("/customer_accounts/cust_1/simulate_payment", { outcome: "paid", amount: 2_500 });
  await merchant.untilReceived("test", 1);
});
afterAll(async () => {
  await browser.close();
});

/** 1.6 Mbit/s and 150 ms: Chromium's fast 3G. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/** The bytes of everything that a first visit loads, as they travel, and its first contentful paint. */
async function visit(page: Page, url: string): Promise<{ kilobytes: number; paintMs: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", SLOW);
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(url);
  await page.locator("h1").first().waitFor();
  await expect.poll(() => page.locator(".mantine-Skeleton-root").count(), { timeout: 15_000 }).toBe(0);
  const paintMs = await page.evaluate<number>(
    `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity`,
  );
  return { kilobytes: bytes / 1_000, paintMs };
}

test.each([
  { name: "Home", path: "/", isSignedIn: true, kilobytesMax: 200 },
  { name: "the sign-in page", path: "/sign-in", isSignedIn: false, kilobytesMax: 175 },
])("$name weighs $kilobytesMax kB at most and is painted within 1.5 s on a slow network", async (given) => {
  const { page, faults, close } = await openPage(browser);
  if (given.isSignedIn) await page.context().addCookies(cookiesFor(stack, person));
  const { kilobytes, paintMs } = await visit(page, `${stack.dashboardUrl}${given.path}`);
  expect(kilobytes).toBeGreaterThan(50);
  expect(kilobytes).toBeLessThanOrEqual(given.kilobytesMax);
  expect(paintMs).toBeLessThanOrEqual(1_500);
  expect(faults).toEqual([]);
  await close();
});

test("while a service is away the page says so within 3 seconds, keeps what it knows and stays usable", async () => {
  const { page, close } = await openPage(browser, { expected: [503, 504] });
  await page.context().addCookies(cookiesFor(stack, person));
  await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test`);
  const newest = page.getByRole("region", { name: "Latest collections" });
  await newest.getByText("₦2,500.00").waitFor();
  const payments = stack.service("payments").pid();
  process.kill(payments, "SIGSTOP");
  try {
    // The days of the chart are read again, from the service that is away.
    await page.getByText("7 days").click();
    await page.getByText(/We can't load [^.]*collections/).waitFor({ timeout: 3_000 });
    expect(await newest.getByText("₦2,500.00").count()).toBe(1);
    await page.getByRole("link", { name: "Customers" }).click();
    await page.getByText("Chidi Okafor").first().waitFor();
    await expect.poll(() => page.getByText(/We can't load/).count(), { timeout: 3_000 }).toBe(0);
  } finally {
    process.kill(payments, "SIGCONT");
  }
  await page.getByRole("link", { name: "Home" }).click();
  await page.getByRole("slider", { name: "Collected on each day" }).waitFor({ timeout: 15_000 });
  await expect.poll(() => page.getByText(/We can't load/).count(), { timeout: 15_000 }).toBe(0);
  await close();
});
