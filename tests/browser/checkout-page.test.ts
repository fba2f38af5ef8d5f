import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, movement, openPage, type Watched } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { pressByKeyboard, tabTo } from "../stack/keyboard.ts";
import { sharedStack } from "../stack/shared.ts";
import { untilShown, visit } from "../stack/visit.ts";

/** The checkout as payers see it: a real browser and the real services. */

const stack = await sharedStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

const PHONE = { viewport: { width: 390, height: 844 } };
const COPYING = { ...PHONE, permissions: ["clipboard-read", "clipboard-write"] };
const copied = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");

async function aShop(name = "Ada Stores") {
  const merchant = await stack.createMerchant({ name });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  const open = async (order: object) => (await api.post("/payments", order)).body;
  const pay = (payment_reference: unknown, outcome: string) => api.post("/sandbox/pay", { outcome, payment_reference });
  return { merchant, api, live, open, pay };
}

const onPage = (
  url: unknown,
  work: (watched: Watched) => Promise<void>,
  options: BrowserContextOptions & { expected?: number[] } = PHONE,
) => visit(browser, String(url), { work, ...options });

async function giveDetails(page: Page) {
  await page.getByLabel("Your name").fill("Ada Obi");
  await page.getByLabel("Your email address").fill("ada@example.com");
  await pressByKeyboard(page, page.getByRole("button", { name: "Continue" }));
}

describe("each status of a session, as it changes while the page is open", () => {
  test("an anonymous payer enters a name, sees the amount and the account, and sees the payment arrive without reloading", async () => {
    const { open, pay } = await aShop();
    const session = await open({ amount: 2_500, redirect_url: "https://shop.example/thanks?o=1" });
    await onPage(session.checkout_url, async ({ page }) => {
      expect(await page.locator("h1").textContent()).toBe("Ada Stores");
      expect(await page.locator("body").textContent()).not.toContain(String(session.account_number));
      await giveDetails(page);
      const amount = Number(session.amount).toLocaleString("en", { minimumFractionDigits: 2 });
      await page.getByText(`₦${amount}`).first().waitFor();
      await page.getByText(/^Include the \.\d\d: a different amount can't be matched automatically\.$/).waitFor();
      expect(await page.locator(".number").textContent()).toBe(session.account_number);
      await page.getByRole("button", { name: "I've sent the money" }).click();
      await page.getByRole("heading", { name: "Looking for your transfer…" }).waitFor();
      expect((await pay(session.reference, "paid")).status).toBe(200);
      await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
      expect(await page.getByRole("link", { name: "Return to Ada Stores" }).getAttribute("href")).toBe(
        `https://shop.example/thanks?o=1&reference=${session.reference}`,
      );
    });
  });

  test("by keyboard alone, a payer on a phone pays too little, sees what is missing, copies it, and tops up", async () => {
    const { open, api } = await aShop();
    const customer = { customer_reference: "cust_7", customer_name: "Ada Obi" };
    const session = await open({ amount: 3_500, ...customer, redirect_url: "https://shop.example/thanks" });
    const asked = Number(session.amount);
    const account = "/customer_accounts/cust_7";
    const send = (amount: number) => api.post(`${account}/simulate_payment`, { outcome: "paid", amount });
    const work = async ({ page }: Watched) => {
      await pressByKeyboard(page, page.getByRole("button", { name: "I've sent the money" }));
      await page.getByRole("heading", { name: "Looking for your transfer…" }).waitFor();
      await page.reload();
      await page.evaluate("document.querySelector('.checks').dataset.from = '2026-01-01T00:00:00Z'");
      await pressByKeyboard(page, page.getByText("Not there yet? Check these four"));
      await page.getByText("Your bank's app says successful, not pending.").waitFor();
      expect((await send(3_000)).status).toBe(200);
      await page.getByRole("heading", { name: "Send the rest, exactly" }).waitFor();
      const missing = Math.round((asked - 3_000) * 100) / 100;
      const sum = await page.locator(".sum dd").allTextContents();
      expect(sum.map((text) => Number(text.replaceAll(/[^\d.]/g, "")))).toEqual([asked, 3_000, missing]);
      expect(await page.locator(".amount .copied").textContent()).toBe(`₦${missing.toFixed(2)}`);
      await pressByKeyboard(page, page.getByRole("button", { name: "Copy amount" }));
      await expect.poll(() => copied(page)).toBe(missing.toFixed(2));
      await pressByKeyboard(page, page.getByRole("button", { name: "Copy account number" }));
      await expect.poll(() => copied(page)).toBe(session.account_number);
      await tabTo(page, page.getByRole("link", { name: "Back to Ada Stores" }));
      expect((await send(missing)).status).toBe(200);
      await tabTo(page, page.getByRole("link", { name: "Return to Ada Stores" }));
      expect(await page.locator("dl").textContent()).toContain(`₦${asked.toLocaleString("en")}`);
    };
    await onPage(session.checkout_url, work, COPYING);
  });

  test("a payment after the expiry is paid late", async () => {
    const { open, pay } = await aShop();
    const session = await open({ amount: 4_000, customer_name: "Ada Obi" });
    await pay(session.reference, "expired");
    await onPage(session.checkout_url, async ({ page }) => {
      await page.getByRole("heading", { name: "The time for this payment is up" }).waitFor();
      await pay(session.reference, "paid");
      await page.getByText("It arrived after the time was up. It still counts.").waitFor();
    });
  });
});

test("without JavaScript the payer gets from the name to paid, with forms and a reload", async () => {
  const { open, pay } = await aShop();
  const session = await open({ amount: 900 });
  await onPage(
    session.checkout_url,
    async ({ page }) => {
      await giveDetails(page);
      await page.getByRole("button", { name: "I've sent the money" }).click();
      await pay(session.reference, "paid");
      await untilShown(stack, session, "paid");
      await page.reload();
      await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
    },
    { ...PHONE, javaScriptEnabled: false },
  );
});

test("a response older than the card shown does not replace it", async () => {
  const { open, pay } = await aShop();
  const session = await open({ amount: 650, customer_name: "Ada Obi" });
  const older = await (await fetch(String(session.checkout_url))).text();
  await onPage(session.checkout_url, async ({ page }) => {
    const isPaid = page.getByRole("heading", { name: "Paid", exact: true });
    // The answer to the payer's press is overtaken by the card of the money.
    await page.route("**/sent", async (route) => {
      await pay(session.reference, "paid");
      await isPaid.waitFor();
      await route.fulfill({ contentType: "text/html", body: older });
    });
    const answered = page.waitForEvent("requestfinished", (request) => request.url().endsWith("/sent"));
    await page.getByRole("button", { name: "I've sent the money" }).click();
    await answered;
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await isPaid.count()).toBe(1);
  });
});

test("without live updates the page polls, and still shows the payment", async () => {
  const { open, pay } = await aShop();
  const session = await open({ amount: 700, customer_name: "Ada Obi" });
  const watched = await openPage(browser, { ...PHONE, expected: [503] });
  await watched.page.route("**/live*", (route) => route.fulfill({ status: 503 }));
  await watched.page.goto(String(session.checkout_url));
  await pay(session.reference, "paid");
  await watched.page.getByRole("heading", { name: "Paid", exact: true }).waitFor({ timeout: 30_000 });
  await watched.close();
});

test("copied values suit a banking app: ten digits, and the amount without symbols", async () => {
  const { open } = await aShop();
  const session = await open({ amount: 12_500, customer_name: "Ada Obi" });
  await onPage(
    session.checkout_url,
    async ({ page }) => {
      await page.getByRole("button", { name: "Copy amount" }).click();
      await expect.poll(() => copied(page)).toBe(Number(session.amount).toFixed(2));
      await page.locator(".number").click({ force: true });
      await expect.poll(() => copied(page)).toBe(session.account_number);
      await page.getByRole("button", { name: "Copy all details" }).click();
      await expect.poll(() => copied(page)).toContain(`Account number: ${session.account_number}`);
    },
    COPYING,
  );
});

test("test mode is labeled and can simulate; a live session has neither the panel nor its endpoint", async () => {
  const { open, live } = await aShop();
  const session = await open({ amount: 300, customer_name: "Ada Obi" });
  await onPage(session.checkout_url, async ({ page }) => {
    expect(await page.locator("body").textContent()).toMatch(/test mode/i);
    await page.getByRole("button", { name: "Paid", exact: true }).click();
    await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
  });
  const real = (await live.post("/payments", { amount: 300, customer_name: "Ada Obi" })).body;
  await onPage(real.checkout_url, async ({ page }) => {
    await page.getByRole("button", { name: "I've sent the money" }).waitFor();
    expect(await page.locator("body").textContent()).not.toMatch(/test mode|simulate/i);
  });
  const form = { method: "POST", body: new URLSearchParams({ outcome: "paid" }), redirect: "manual" } as const;
  expect((await fetch(`${real.checkout_url}/simulate`, form)).status).toBe(404);
  expect((await client(stack.baseUrl).get(`/checkout/${real.reference}`)).body).toMatchObject({ status: "pending" });
});

test("names and descriptions are shown as text, whatever they contain, and none breaks the layout", async () => {
  const { open } = await aShop(`<img src=x onerror=alert(1)> يوسف 🌸 ${"Long ".repeat(12)}`.slice(0, 100));
  const session = await open({
    amount: 999_999.99,
    customer_name: "Ada Obi",
    description: `<script>alert(1)</script>${"x".repeat(400)}`,
  });
  await onPage(session.checkout_url, async ({ page }) => {
    expect(await page.locator("h1").textContent()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  });
});

test("unknown, foreign and malformed references get the same neutral page", async () => {
  const titles = new Set<string>();
  const add = async ({ page }: Watched) => void titles.add(await page.locator("main").innerHTML());
  for (const reference of ["pay_7Yk3pQ2mVd9sRw4tXb6nLc", "pay_x", "..%2f", "col_7Yk3pQ2mVd9sRw4tXb6nLc"])
    await onPage(`${stack.checkoutUrl}/pay/${reference}`, add, { ...PHONE, expected: [404] });
  expect(titles.size).toBe(1);
});

test("the page cannot be framed, loads nothing from third parties, and weighs less than 60 kB", async () => {
  const { open } = await aShop();
  const session = await open({ amount: 300, customer_name: "Ada Obi" });
  const policy = (await fetch(String(session.checkout_url))).headers.get("content-security-policy");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|(script|style)-src[^;]*'self'/);
  const watched = await openPage(browser, PHONE);
  const tools = await watched.page.context().newCDPSession(watched.page);
  await tools.send("Network.enable");
  let bytes = 0;
  tools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await watched.page.goto(String(session.checkout_url), { waitUntil: "load" });
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(60_000);
  await watched.close();
});

test("every status says so plainly, has enough contrast, fits, and nothing moves", async () => {
  const { open, pay } = await aShop();
  const waiting = { pending: "exactly", processing: "Looking for", underpaid: "Missing" };
  for (const [state, text] of Object.entries({ ...waiting, paid: "Paid to", overpaid: "Too much", expired: "is up" })) {
    const session = await open({ amount: 1_000, customer_reference: `c_${state}`, customer_name: "Ada Obi" });
    if (state === "processing") await fetch(`${session.checkout_url}/sent`, { method: "POST" });
    else if (state !== "pending") await pay(session.reference, state);
    await untilShown(stack, session, state);
    const look = async ({ page }: Watched) => {
      await page.getByText(text).first().waitFor();
      expect(await movement(page)).toBe(0);
    };
    for (const width of [320, 1_280]) await onPage(session.checkout_url, look, { viewport: { width, height: 640 } });
  }
});
