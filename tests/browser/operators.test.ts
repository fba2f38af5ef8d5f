import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addOperator, REQUESTS, removeOperator } from "@collect/contracts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, payoutOrder } from "../faults/shop.ts";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { launchBrowser, openPage } from "../stack/browser.ts";
import { expectFit } from "../stack/fit.ts";
import { pressByKeyboard } from "../stack/keyboard.ts";
import { bookLines, linesOfADay } from "../stack/operator-bookings.ts";
import { closeADay } from "../stack/operator-days.ts";
import { actsOf, joinOperators, startOperatorPages } from "../stack/operator-pages.ts";
import { endAPayout } from "../stack/operator-payouts.ts";
import {
  allocateMoney,
  readPartnerBank,
  resume,
  retryDeadLetter,
  signInAgain,
  visitEveryPage,
} from "../stack/operator-steps.ts";
import { aMember } from "../stack/person.ts";
import { startStack } from "../stack.ts";

/** Operators at their own address: what they do there, and what no one else can. */

const directory = await mkdtemp(join(tmpdir(), "collect-operators-"));
const stack = await startStack();
const pages = await startOperatorPages(stack, directory);
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await pages.stop();
  await stack.stop();
  await rm(directory, { recursive: true, force: true });
});

const addAs = (name: string) => (public_key: string) => stack.bus.request(addOperator, { name, public_key });

test("an operator signs in with a second factor, suspends a merchant, resumes it, allocates money and retries a dead letter, by keyboard and under the operator's name", async () => {
  const shop = await openShop(stack);
  const { id } = shop.merchant;
  const { body: customer } = await shop.api.get("/customer_accounts/c");
  const { page, faults, close } = await openPage(browser, { expected: [401, 404] });
  await page.goto(pages.url);
  await page.getByRole("button", { name: "Make this browser's key" }).waitFor();
  await expectFit(page);
  const code = await joinOperators(page, addAs("ada"));
  await signInAgain(page, code(1));

  await page.getByLabel("Merchant ID, or the beginning of the name").fill(id);
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=/);
  await expectFit(page);
  await pressByKeyboard(page, page.getByRole("link", { name: shop.merchant.name }));
  await pressByKeyboard(page, page.getByRole("button", { name: "Suspend" }));
  await expectFit(page);
  await page.getByLabel("Reason (shown to the merchant)").fill("Chargebacks under review");
  await pressByKeyboard(page, page.getByRole("dialog").getByRole("button", { name: "Suspend" }));
  await page.getByText("Suspended. No payout can be sent anymore.").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Chargebacks under review").first().waitFor();
  await expectFit(page);

  for (const [path, body] of [
    ["/transfers", payoutOrder(1)],
    ["/customer_accounts", { customer_reference: "new", customer_name: "Ada" }],
  ] as const)
    expect((await shop.api.post(path, body)).body.code, path).toBe("merchant_suspended");
  const arriving = aBankTransfer({ account_number: String(customer.account_number), amount: 100 });
  await reportTransfer(stack.bankDoor, arriving);
  await shop.merchant.untilReceived("live", 2);
  expect((await shop.api.get("/balance")).body).toMatchObject({ collected: 99 });

  await resume(page);
  expect((await shop.api.post("/transfers", payoutOrder(1))).status).toBe(201);
  expect((await actsOf(stack, id)).filter(({ who }) => who === "operator ada")).toEqual([
    { action: "merchant.resumed", outcome: "done", detail: { reason: "Reviewed" }, who: "operator ada" },
    {
      ...{ action: "merchant.suspended", outcome: "done", who: "operator ada" },
      detail: { reason: "Chargebacks under review" },
    },
  ]);

  for (const step of [allocateMoney, retryDeadLetter]) await step(page, { stack, shop });
  expect((await actsOf(stack, id)).slice(0, 1)).toMatchObject([{ action: "transfer.allocated", who: "operator ada" }]);
  await readPartnerBank(page, stack);
  await visitEveryPage(page);
  // Removed, she is out at once.
  await stack.bus.request(removeOperator, { name: "ada" });
  await pressByKeyboard(page, page.getByRole("link", { name: "Merchants" }));
  await page.getByText("Have your key added").waitFor();
  expect(faults).toEqual([]);
  await close();
});

test("nothing of either address is reached with the other's session, nor anything without one", async () => {
  const merchant = await stack.createMerchant();
  const owner = await aMember(stack, merchant.id, "owner");
  const { page, close } = await openPage(browser, { expected: [401, 404] });
  await page.goto(pages.url);
  await joinOperators(page, addAs("bola"));
  const [session] = await page.context().cookies(pages.url);
  expect(session).toMatchObject({ name: "collect-operators.session", httpOnly: true, sameSite: "Strict" });
  const operator = `${session?.name}=${session?.value}`;
  const statusOf = async (url: string, { cookie, body }: { cookie: string; body?: object }) =>
    (
      await fetch(url, {
        method: body ? "POST" : "GET",
        headers: { cookie, origin: new URL(url).origin, "content-type": "application/json" },
        body: body ? JSON.stringify(body) : null,
      })
    ).status;

  const reads = [
    "me",
    "merchants",
    `merchants/${merchant.id}`,
    "verifications",
    "exceptions",
    "payouts",
    "partner/incoming",
    "audit",
  ];
  for (const path of reads) {
    const url = `${pages.url}/api/${path}`;
    expect(await statusOf(url, { cookie: operator }), path).toBe(200);
    // Their cookies, a session of the merchants' under our name, and none.
    const token = owner.cookie.split("=").at(-1);
    for (const cookie of [owner.cookie, `collect-operators.session=${token}`, ""])
      expect(await statusOf(url, { cookie }), path).toBe(401);
  }
  const acts = REQUESTS.filter(({ operator }) => typeof operator === "object");
  for (const { subject } of acts)
    for (const cookie of [owner.cookie, ""])
      expect([401, 404], subject).toContain(await statusOf(`${pages.url}/api/acts/${subject}`, { cookie, body: {} }));

  const theirs = `${stack.dashboardUrl}/api`;
  expect(await statusOf(`${theirs}/m/${merchant.id}/test/balance`, { cookie: owner.cookie })).toBe(200);
  expect(await statusOf(`${theirs}/m/${merchant.id}/test/balance`, { cookie: operator })).toBe(401);
  expect(await statusOf(`${theirs}/me`, { cookie: operator })).toBe(401);
  for (const path of ["merchants", "verifications", "exceptions", "payouts", "audit"])
    expect(await statusOf(`${theirs}/${path}`, { cookie: owner.cookie }), path).not.toBe(200);
  expect(await statusOf(`${pages.url}/api/m/${merchant.id}/test/balance`, { cookie: operator })).toBe(404);
  await close();
});

test("an act without the operator's own signature does not happen", async () => {
  const merchant = await stack.createMerchant();
  const { page, close } = await openPage(browser, { expected: [400, 401, 403, 404, 409] });
  await page.goto(pages.url);
  await joinOperators(page, addAs("chi"));
  await page.goto(`${pages.url}/merchants/${merchant.id}`);
  await pressByKeyboard(page, page.getByRole("button", { name: "Suspend" }));
  await page.getByLabel("Reason (shown to the merchant)").fill("Really");
  // What the page sends is kept, and not sent.
  const sent = page.waitForRequest(/gateway\.merchant\.suspend/);
  await page.route(/gateway\.merchant\.suspend/, (route) => route.abort());
  await pressByKeyboard(page, page.getByRole("button", { name: "Suspend" }).last());
  const given = JSON.parse((await sent).postData() ?? "");
  const [session] = await page.context().cookies(pages.url);
  const send = async (body: object, { origin = pages.url, subject = "gateway.merchant.suspend" } = {}) => {
    const response = await fetch(`${pages.url}/api/acts/${subject}`, {
      method: "POST",
      headers: { cookie: `${session?.name}=${session?.value}`, origin, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return Object(await response.json()).code;
  };
  const { input, signature } = given;
  const forged = [
    { input: { ...input, reason: "Another" }, signature },
    { input: { ...input, actor: { kind: "operator", name: "tester" } }, signature },
    { input, signature: { ...signature, at: new Date(0).toISOString() } },
    { input, signature: { ...signature, request_id: crypto.randomUUID() } },
    { input, signature: { ...signature, signature: Buffer.alloc(64).toString("base64") } },
    { input, signature: { ...signature, public_key: `U${"A".repeat(55)}` } },
  ];
  for (const body of forged) expect(await send(body), JSON.stringify(body)).toBe("invalid_operator");
  expect(await send({ input })).toBe("validation_failed");
  expect(
    await send({ input: { merchant_id: merchant.id, reason: "x" }, signature }, { subject: "gateway.merchant.resume" }),
  ).toBe("invalid_operator");
  expect(await send(given, { origin: "https://thief.example" })).toBe("role_required");
  expect(await send(given, { subject: "gateway.key.roll" })).toBe("not_found");
  expect((await actsOf(stack, merchant.id)).filter(({ action }) => action === "merchant.suspended")).toEqual([]);
  // Exactly as it was signed, and once.
  expect(await send(given)).toBeUndefined();
  expect(await send(given)).toBe("invalid_operator");
  expect((await actsOf(stack, merchant.id))[0]).toMatchObject({ action: "merchant.suspended", who: "operator chi" });
  await close();
});

test("a person uploads a bank's statement and gives the reasons, and another one closes the day, each under their own name", async () => {
  await closeADay({ stack, browser, url: pages.url, addAs });
}, 180_000);

test("with four eyes on, another operator approves in another browser exactly what the first one proposed", async () => {
  const [merchant, shop] = [await stack.createMerchant(), await openShop(stack)];
  const [first, second] = [
    await openPage(browser, { expected: [401, 404, 409] }),
    await openPage(browser, { expected: [400, 401, 404, 409] }),
  ];
  for (const [name, { page }] of Object.entries({ dayo: first, efe: second })) {
    await page.goto(pages.url);
    await joinOperators(page, addAs(name));
  }
  const lines = await linesOfADay(stack, shop);
  await stack.service("gateway").restart({ env: { FOUR_EYES: "true" } });
  await first.page.goto(`${pages.url}/merchants/${merchant.id}`);
  await pressByKeyboard(first.page, first.page.getByRole("button", { name: "Suspend" }));
  await first.page.getByLabel("Reason (shown to the merchant)").fill("Chargebacks");
  await pressByKeyboard(first.page, first.page.getByRole("button", { name: "Suspend" }).last());
  await first.page.getByText("A second operator has to approve this").waitFor();
  expect((await actsOf(stack, merchant.id)).map(({ action }) => action)).not.toContain("merchant.suspended");
  await first.page.goto(`${pages.url}/proposals`);
  await first.page.getByText("By dayo").waitFor();
  expect(await first.page.getByRole("button", { name: "Approve" }).count()).toBe(0);

  await second.page.goto(`${pages.url}/proposals`);
  await second.page.getByText("Proposed: suspend the business").waitFor();
  await expectFit(second.page);
  await pressByKeyboard(second.page, second.page.getByRole("button", { name: "Approve" }));
  await pressByKeyboard(second.page, second.page.getByRole("dialog").getByRole("button", { name: "Approve" }));
  await second.page.getByText("approved by efe").waitFor();
  expect((await actsOf(stack, merchant.id))[0]).toMatchObject({
    action: "merchant.suspended",
    outcome: "done",
    who: "operator efe",
  });

  await endAPayout({ stack, shop, url: pages.url, proposer: first.page, approver: second.page });
  expect((await actsOf(stack, shop.merchant.id)).slice(0, 2)).toMatchObject([
    {
      ...{ action: "payout.ended", outcome: "done", who: "operator efe" },
      detail: { bank_reference: "FT-1", reason: "The bank's mail of today" },
    },
    { action: "payout.ended", outcome: "refused", who: "operator efe", detail: { bank_reference: null } },
  ]);

  await bookLines({ stack, lines, url: pages.url, proposer: first.page, approver: second.page });
  expect([...first.faults, ...second.faults]).toEqual([]);
  await Promise.all([first.close(), second.close()]);
}, 180_000);
