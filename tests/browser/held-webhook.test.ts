import { until } from "@collect/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { client } from "../stack/client.ts";
import { expectFit } from "../stack/fit.ts";
import { aMember, cookiesFor } from "../stack/person.ts";
import { startStack } from "../stack.ts";

/** A webhook whose server fails, and the test clock, in a real browser. */

const stack = await startStack();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const EVENTS = 16;
/** Of the release: a probe and batches of 2 and 4, after which the time left was measured. */
const ACCEPTED_AT_ONCE = 7;

async function openAs(id: string, role: Parameters<typeof aMember>[2], mode = "test") {
  const person = await aMember(stack, id, role);
  const opened = await openPage(browser, { expected: [403] });
  await opened.page.context().addCookies(cookiesFor(stack, person));
  const goTo = (place: string, of = mode) => opened.page.goto(`${stack.dashboardUrl}/m/${id}/${of}/${place}`);
  return { ...opened, person, goTo };
}

async function paid(api: ReturnType<typeof client>, count: number): Promise<void> {
  await api.post("/customer_accounts", { customer_reference: "cust_1", customer_name: "Ada Obi" });
  for (let n = 0; n < count; n++)
    await api.post("/customer_accounts/cust_1/simulate_payment", { outcome: "paid", amount: 1_000 + n });
}

const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

test("a failing server's events are held, the page says how many, since when and until when, and all follow in order", async () => {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  stack.receiver.behave((response) => void response.writeHead(503).end("no"));
  await paid(api, EVENTS);

  const { page, faults, close, goTo } = await openAs(merchant.id, "developer");
  await goTo("developers/webhook");
  await see(page, "Your server is failing: events are held");
  const notice = page.getByRole("alert").filter({ hasText: "events are held" });
  await until("all wait", async () => (await notice.textContent())?.includes(`${EVENTS} events wait.`));
  const times = await notice.locator("time").evaluateAll((all) => all.map((time) => time.getAttribute("datetime")));
  const [since, next] = times.map((time) => Date.parse(String(time)));
  expect([times.length, Number(since) <= Date.now(), Number(next) > Number(since)]).toEqual([2, true, true]);
  await expectFit(page);

  const attempts = stack.receiver.received.length;
  const accepted: number[] = [];
  const { promise: opened, resolve: acceptAll } = Promise.withResolvers<void>();
  stack.receiver.behave((response, { headers }) => {
    accepted.push(Number(headers["x-service-sequence"]));
    if (accepted.length <= ACCEPTED_AT_ONCE) response.end("ok");
    else void opened.then(() => response.end("ok"));
  });
  await page.getByRole("button", { name: "Try now" }).click();
  await see(page, /They are being sent in order: about \d+ (seconds?|minutes) left\./);
  acceptAll();
  await see(page, /All events delivered/);
  expect(stack.receiver.received.length).toBe(attempts + EVENTS);
  expect(accepted.toSorted((a, b) => a - b)).toEqual(Array.from({ length: EVENTS }, (_, n) => n + 1));
  // Batches of 1, 2, 4, 8 …, each of which begins when the one before has ended.
  for (const [from, to] of [
    [0, 1],
    [1, 3],
    [3, 7],
    [7, 15],
  ] as const)
    expect(Math.max(...accepted.slice(0, to)), `batch ${from}–${to}`).toBe(to);
  expect(faults).toEqual([]);
  await close();
});

test("deliveries are paused and resumed on the page, nothing is lost, and viewers and support can do neither", async () => {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  stack.receiver.behave((response) => void response.end("ok"));
  const { page, faults, close, goTo } = await openAs(merchant.id, "developer");
  await goTo("developers/webhook");
  await page.getByRole("button", { name: "Pause deliveries" }).click();
  await see(page, "Deliveries are paused");
  await paid(api, 3);
  await see(page, /3 events wait\./);
  expect(merchant.received("test")).toEqual([]);

  for (const role of ["viewer", "support"] as const) {
    const other = await openAs(merchant.id, role);
    await other.goTo("developers/webhook");
    await see(other.page, "Deliveries are paused");
    expect(await other.page.getByRole("button", { name: /Resume|Pause|Try now/ }).count()).toBe(0);
    for (const act of ["pause", "resume"]) {
      const answer = await other.person.call("POST", `/api/m/${merchant.id}/test/webhook/${act}`, {});
      expect([answer.status, answer.body.code]).toEqual([403, "role_required"]);
    }
    expect(other.faults).toEqual([]);
    await other.close();
  }

  await page.getByRole("button", { name: "Resume deliveries" }).click();
  const got = await merchant.untilReceived("test", 3);
  expect(got.map(({ headers }) => headers["x-service-sequence"]).toSorted()).toEqual(["1", "2", "3"]);
  await see(page, /All events delivered/);
  expect(faults).toEqual([]);
  await close();
});

test("every page of test mode says that the test clock is ahead, and no page of live mode", async () => {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const { page, faults, close, goTo } = await openAs(merchant.id, "viewer");
  const notice = page.getByRole("region", { name: /Your test clock/ });
  await goTo("collections");
  await page.getByRole("heading", { name: "Collections", exact: true }).waitFor();
  expect(await notice.count()).toBe(0);
  expect((await api.post("/sandbox/clock", { advance_by: 3 * 86_400 + 60 })).status).toBe(200);
  for (const place of ["", "collections", "developers/deliveries"]) {
    await goTo(place);
    await notice.getByText("Your test clock is 3 days ahead").waitFor();
  }
  await expectFit(page);
  for (const place of ["", "collections"]) {
    await goTo(place, "live");
    await page.locator("h1").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await notice.count()).toBe(0);
  }
  expect(faults).toEqual([]);
  await close();
});
