import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { expectFit } from "../stack/fit.ts";
import { pressByKeyboard } from "../stack/keyboard.ts";
import { aMember, cookiesFor } from "../stack/person.ts";
import { sharedStack } from "../stack/shared.ts";

/** A developer follows an API request in a real browser, and lets things go wrong in the sandbox. */

const stack = await sharedStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

/** Requests are logged within a second, and no list is told of them. */
async function untilListed(page: Page, row: string, count: number) {
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.locator("h1").waitFor();
        return page.getByRole("row").filter({ hasText: row }).count();
      },
      { timeout: 15_000, interval: 500 },
    )
    .toBe(count);
}

test("by keyboard alone from a failed request over the corrected command to the delivery that followed, and back", async () => {
  const merchant = await stack.createMerchant();
  const developer = await aMember(stack, merchant.id, "developer");
  const base = `/api/m/${merchant.id}/test`;
  // The operator made the first keys, so the dashboard has none to show until one is rolled.
  expect((await developer.call("POST", `${base}/keys/reveal`, {})).status).toBe(409);
  const { body: rolled } = await developer.call("POST", `${base}/keys/roll`, { kind: "secret", overlap_hours: 0 });
  const api = client(stack.baseUrl, String(rolled.key));
  const simulate = "/customer_accounts/cust_1/simulate_payment";
  await api.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Ada Obi" });
  expect((await api.post(simulate, { outcome: "paid", amount: -5, payer_name: "O'Brien $HOME" })).status).toBe(400);

  const options = { permissions: ["clipboard-read", "clipboard-write"] };
  const { page, faults, close } = await openPage(browser, options);
  await page.context().addCookies(cookiesFor(stack, developer));
  await page.goto(`${stack.dashboardUrl}/m/${merchant.id}/test/developers/requests`);
  await untilListed(page, "400 validation_failed", 1);
  await pressByKeyboard(
    page,
    page.getByRole("row").filter({ hasText: "400 validation_failed" }).getByRole("link").first(),
  );
  await page.getByText("amount must not be negative").waitFor();
  await expectFit(page);

  await pressByKeyboard(page, page.getByRole("button", { name: "Copy as curl" }));
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const command = await page.evaluate<string>("navigator.clipboard.readText()");
  const { stdout } = await promisify(execFile)("/bin/sh", ["-euc", command.replace("-5", "2500.09")]);
  expect(JSON.parse(stdout)).toMatchObject({ credited: true, amount: 2500.09 });
  const [received] = await merchant.untilReceived("test", 1);
  expect(JSON.parse(String(received?.raw)).data.payer.name).toBe("O'Brien $HOME");

  await pressByKeyboard(page, page.getByRole("link", { name: "Last 7 days" }).last());
  await untilListed(page, `POST /v1${simulate}`, 2);
  await pressByKeyboard(page, page.getByRole("row").filter({ hasText: "200" }).getByRole("link").first());
  await page.getByText("Delivered", { exact: true }).waitFor();
  await expectFit(page);
  await pressByKeyboard(page, page.getByRole("link", { name: /^Delivery \d+$/ }));
  await page.getByText(/^200 after/).waitFor();
  await expectFit(page);
  await pressByKeyboard(page, page.getByRole("link", { name: "Last 7 days" }));
  await page.getByRole("row").filter({ hasText: simulate }).waitFor();
  expect(await page.getByRole("row").filter({ hasText: "400 validation_failed" }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test("the sandbox advances the clock and plays a scenario, and the failing test event says its likely cause", async () => {
  const merchant = await stack.createMerchant();
  const developer = await aMember(stack, merchant.id, "developer");
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const account = await api.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Ada Obi" });
  const { page, faults, close } = await openPage(browser, { colorScheme: "dark" });
  await page.context().addCookies(cookiesFor(stack, developer));
  const home = `${stack.dashboardUrl}/m/${merchant.id}/test/developers`;
  await page.goto(`${home}/sandbox`);
  await page.getByLabel("Account number").first().fill(String(account.body.account_number));
  await page.getByRole("button", { name: "Play scenario" }).click();
  await page.getByText("Duplicate: already credited", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Advance clock" }).click();
  await page.getByText("Everything due by then is done", { exact: false }).waitFor();
  expect((await api.get("/sandbox/clock")).body.ahead_by).toBeGreaterThan(86_000);
  await expectFit(page);
  const live = await developer.call("POST", `/api/m/${merchant.id}/live/test-clock`, { advance_by: 60 });
  expect(live.status).not.toBe(200);

  stack.receiver.behave((response) => response.writeHead(401).end("bad signature"));
  await page.goto(`${home}/webhook`);
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByText("its signature check failed", { exact: false }).waitFor();
  await expectFit(page);

  // Without a server: ours fails when it is told to, and then takes the same event again.
  await page.goto(`${home}/verifier`);
  await page.getByRole("button", { name: "Use the test receiver" }).click();
  await page.getByText("Nothing has arrived yet.").waitFor();
  await page.getByLabel("Respond to events with").selectOption("error");
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByText("responded 500", { exact: false }).first().waitFor();
  await page.getByLabel("Respond to events with").selectOption("ok");
  const event = await page.getByRole("link", { name: /^Event \d+$/ }).textContent();
  const sequence = event?.replace("Event ", "");
  await developer.call("POST", `/api/m/${merchant.id}/test/events/${sequence}/replay`, {});
  await page.getByText("responded 200", { exact: false }).first().waitFor();
  await page.getByText("Seen before").waitFor();
  expect(await page.getByText("Signature valid").count()).toBe(2);
  await page.locator("summary").first().click();
  await page.getByText("x-service-signature").first().waitFor();
  await expectFit(page);
  expect(faults).toEqual([]);
  await close();
});
