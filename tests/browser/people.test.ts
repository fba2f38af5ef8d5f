import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { aMember, cookieOf, cookiesFor, signUp } from "../stack/person.ts";
import { sharedStack } from "../stack/shared.ts";

/** What each role can see and do, in the browser and against attempts to exceed it. */

const stack = await sharedStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

describe("the two modes", () => {
  test("are isolated: the switch changes the data shown, and a URL of the other mode finds nothing", async () => {
    const merchant = await stack.createMerchant();
    const api = client(stack.baseUrl, merchant.keys.sk_test);
    await api.post("/customer_accounts", { customer_reference: "cust_test", customer_name: "Test Only" });
    const paid = await api.post("/customer_accounts/cust_test/simulate_payment", { outcome: "paid", amount: 77 });
    const person = await aMember(stack, merchant.id, "owner");
    const { page, close } = await openPage(browser, { expected: [404] });
    await page.context().addCookies(cookiesFor(stack, person));
    await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/collections`);
    await page.getByText("₦77.00").first().waitFor();
    await page.getByRole("radiogroup", { name: "Mode" }).getByText("Live").click();
    await page.waitForURL(/\/live\/collections/);
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    expect(await page.getByRole("row").count()).toBe(0);
    expect(await page.locator("body").textContent()).not.toContain("₦77.00");
    await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/live/collections/${paid.body.reference}`);
    await page.getByText("Nothing was found for this reference in live mode").waitFor();
    expect(await page.locator("body").textContent()).not.toContain("₦77.00");
    await close();
  });
});

describe("roles", () => {
  test("a viewer sees balances and no action that would be refused; a direct call to one is refused", async () => {
    const merchant = await stack.createMerchant();
    const viewer = await aMember(stack, merchant.id, "viewer");
    const at = (path: string) => `/api/m/${merchant.id}/test/${path}`;
    expect((await viewer.call("GET", at("balance"))).status).toBe(200);
    for (const [path, body] of [
      ["keys/roll", { kind: "secret", overlap_hours: 0 }],
      ["webhook", { url: "https://thief.example/" }],
      ["transfers", { amount: 1, bank_code: "000", account_number: "0000000013", reference: "x" }],
      ["members/invite", { email: "friend@example.com", role: "owner" }],
    ] as const)
      expect((await viewer.call("POST", at(path), body)).body.code, path).toBe("role_required");

    const { page, faults, close } = await openPage(browser);
    await page.context().addCookies(cookiesFor(stack, viewer));
    for (const [path, shown, offered] of [
      ["developers/keys", "Secret key", /Roll/],
      ["developers/webhook", "Webhook URL", /Save|Send test|Show secret|Create|Stage/],
      ["customers", "Customers", /Issue account/],
      ["transfers", "Transfers", /Send money/],
      ["links", "Links", /Create link/],
      ["settings/team", "Team", /Invite/],
    ] as const) {
      await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/${path}`);
      await page.getByText(shown).first().waitFor();
      const waiting = page.locator(".mantine-Skeleton-root, .mantine-Loader-root");
      await expect.poll(() => waiting.count(), { timeout: 20_000 }).toBe(0);
      expect(await page.getByRole("button", { name: offered }).count(), path).toBe(0);
    }
    expect(faults).toEqual([]);
    await close();
  });

  test("a developer gives the business a logo, of which payers get exactly the bytes; a document that calls itself a PNG is refused", async () => {
    const merchant = await stack.createMerchant();
    const developer = await aMember(stack, merchant.id, "developer");
    const { page, faults, close } = await openPage(browser, { expected: [400] });
    await page.context().addCookies(cookiesFor(stack, developer));
    await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/settings/business`);
    await page.getByRole("heading", { name: "Checkout page" }).waitFor();
    const logo = await page.screenshot({ clip: { x: 0, y: 0, width: 64, height: 64 } });
    const profile = page.getByRole("region", { name: "Checkout page" });
    const choose = async (buffer: Buffer) => {
      await profile.locator("input[type=file]").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
      await profile.getByRole("button", { name: "Save" }).click();
    };
    await choose(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"));
    await profile.getByText("The logo must be a PNG, JPEG or WebP image.").waitFor();
    await choose(logo);
    await page.getByText("Saved. Payers see the change from now on.").waitFor();
    const stored = await developer.call("GET", `/api/m/${merchant.id}/live/business-profile`);
    const served = await fetch(new URL(String(stored.body.logo), stack.checkoutUrl));
    expect(Buffer.from(await served.arrayBuffer()).equals(logo)).toBe(true);
    expect([served.headers.get("content-type"), served.headers.get("x-content-type-options")]).toEqual([
      "image/png",
      "nosniff",
    ]);
    expect(faults).toEqual([]);
    await close();
  });

  test("a non-member finds no such business, by page or by call", async () => {
    const merchant = await stack.createMerchant();
    const stranger = await signUp(stack);
    for (const path of ["balance", "collections", "keys", "collections.csv", "live"]) {
      const { status, body } = await stranger.call("GET", `/api/m/${merchant.id}/test/${path}`);
      expect([status, body.code], path).toEqual([404, "not_found"]);
    }
  });
});

describe("attacks on signing in", () => {
  const auth = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${stack.dashboardUrl}/api/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: stack.dashboardUrl, ...headers },
      body: JSON.stringify(body),
    });

  test("neither sign-in nor sign-up reveals whether an email address has an account", async () => {
    const person = await signUp(stack);
    const wrong = await auth("sign-in/email", { email: person.email, password: "not the password" });
    const unknown = await auth("sign-in/email", { email: "nobody@example.com", password: "not the password" });
    expect(wrong.status).toBe(unknown.status);
    const said = async (answer: Response) => {
      const { request_id, ...body } = JSON.parse(await answer.text());
      return { status: answer.status, ...body };
    };
    expect(await said(wrong)).toEqual(await said(unknown));
    const taken = await auth("sign-up/email", { name: "X", email: person.email, password: "another password" });
    const fresh = await auth("sign-up/email", { name: "X", email: "fresh@example.com", password: "another password" });
    expect(await said(taken)).toEqual(await said(fresh));
    expect((await auth("sign-in/email", { email: person.email, password: person.password })).status).toBe(200);
  });

  test("a session cookie fixed before the sign-in is not the one that is signed in", async () => {
    const person = await signUp(stack);
    const signIn = (cookie: string) =>
      auth("sign-in/email", { email: person.email, password: person.password }, { cookie });
    const me = async (cookie: string) => (await fetch(`${stack.dashboardUrl}/api/me`, { headers: { cookie } })).status;
    const name = person.cookie
      .split("; ")
      .find((pair) => pair.includes("session"))
      ?.split("=")[0];
    const planted = `${name}=chosen-by-an-attacker`;
    const first = cookieOf(await signIn(planted));
    expect([await me(planted), await me(first)]).toEqual([401, 200]);
    const second = cookieOf(await signIn(first));
    expect([await me(first), await me(second)]).toEqual([401, 200]);
  });

  test("password guessing is rate-limited, and the account's owner can still sign in from a known device", async () => {
    const person = await signUp(stack);
    const statuses: number[] = [];
    for (let guess = 0; guess < 15; guess++)
      statuses.push((await auth("sign-in/email", { email: person.email, password: `guess ${guess}...` })).status);
    expect(statuses).toContain(429);
    const rightly = { email: person.email, password: person.password };
    expect((await auth("sign-in/email", rightly)).status).toBe(429);
    expect((await auth("sign-in/email", rightly, { cookie: person.cookie })).status).toBe(200);
  });

  test("cross-site posts are refused, even with the user's cookies", async () => {
    const merchant = await stack.createMerchant();
    const owner = await aMember(stack, merchant.id, "owner");
    const post = (headers: Record<string, string>) =>
      fetch(`${stack.dashboardUrl}/api/m/${merchant.id}/test/customers`, {
        method: "POST",
        headers: { cookie: owner.cookie, ...headers },
        body: headers["content-type"]?.includes("json")
          ? JSON.stringify({ customer_reference: "c", customer_name: "C" })
          : "customer_reference=c&customer_name=C",
      });
    const json = { "content-type": "application/json" };
    expect((await post({ ...json, origin: "https://evil.example" })).status).toBe(403);
    expect((await post({ ...json, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await post({ "content-type": "application/x-www-form-urlencoded", origin: "null" })).ok).toBe(false);
    expect((await post({ ...json, origin: stack.dashboardUrl })).status).toBe(200);
  });

  test("a revoked session is signed out immediately, wherever it is open", async () => {
    const merchant = await stack.createMerchant();
    const owner = await aMember(stack, merchant.id, "owner");
    const { page, close } = await openPage(browser, { expected: [401] });
    await page.context().addCookies(cookiesFor(stack, owner));
    await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/collections`);
    await page.getByRole("heading", { name: "Collections", exact: true }).waitFor();
    const elsewhere = cookieOf(await auth("sign-in/email", { email: owner.email, password: owner.password }));
    const revoked = await auth("revoke-other-sessions", {}, { cookie: elsewhere });
    expect(revoked.status).toBe(200);
    await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/customers`);
    await page.waitForURL(/\/sign-in/);
    await close();
  });
});
