import { readFile } from "node:fs/promises";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fieldsOf } from "../src/domain/openapi/fields.ts";
import { ENDPOINTS } from "../src/endpoints.ts";
import { type Gateway, openGatewayWorld, startGateway } from "./gateway.ts";

let world: World;
let gateway: Gateway;

beforeAll(async () => {
  world = await openGatewayWorld();
  gateway = await startGateway(world);
});
afterAll(async () => {
  await gateway.stop();
  await world.close();
});

const get = (path: string) => fetch(new URL(path, gateway.url));
const prefixes = ["", "/v1"];

test("the document that is served is the one that the SDK is made of; `pnpm --filter @collect/gateway document` writes it", async () => {
  const written = await readFile(new URL("../../../packages/sdk/openapi.json", import.meta.url), "utf8");
  for (const prefix of prefixes) {
    const served = await get(`${prefix}/openapi.json`);
    expect(served.headers.get("content-type")).toContain("application/json");
    expect(await served.json()).toEqual(JSON.parse(written));
  }
});

test.each(prefixes)("the page at %s/docs needs no key, and all it asks for is served here", async (prefix) => {
  const page = await get(`${prefix}/docs`);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const html = await page.text();
  const asked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
  const [icon, ...addresses] = asked;
  expect(icon).toBe("data:,");
  expect(addresses.every((address) => address.startsWith(`${prefix}/`))).toBe(true);
  for (const address of addresses) {
    const answer = await get(address);
    expect([address, answer.status]).toEqual([address, 200]);
    expect(answer.headers.get("content-type")).toMatch(/^(text\/css|text\/javascript|application\/json)/);
  }
  expect(await (await get(`${prefix}/docs/start.js`)).text()).toContain(`"url":"${prefix}/openapi.json"`);
});

test("the page's policy lets it run and ask for nothing from elsewhere, and is that page's alone", async () => {
  const policy = (await get("/docs")).headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect((await get("/v1")).headers.get("content-security-policy")).not.toBe(policy);
});

/** Written down once more, so that a field which is added to a request does not become one that anybody may send. */
const SENT_BY_CALLERS: Record<string, string[]> = {
  getBalance: [],
  issueCustomerAccount: ["customer_reference", "customer_name"],
  listCustomerAccounts: ["limit", "offset", "status"],
  getCustomerAccount: [],
  openPayment: ["amount", "reference", "customer_reference", "customer_name", "description", "redirect_url"],
  getPayment: [],
  openCryptoPayment: ["amount", "reference", "customer_reference", "customer_name", "description", "redirect_url"],
  listBanks: [],
  resolveAccount: ["bank_code", "account_number"],
  createTransfer: ["amount", "bank_code", "account_number", "reference", "narration"],
  listTransfers: ["limit", "offset", "status"],
  getTransfer: [],
  simulatePayment: ["outcome", "amount", "payer_name"],
  sandboxPay: ["outcome", "amount", "payment_reference", "amount_sent", "payer_name"],
  getCheckout: [],
  giveCheckoutDetails: ["name", "email"],
  reportCheckoutSent: [],
  openCheckout: ["amount", "reference", "description", "redirect_url"],
};

test("the fields that a caller may send are these and no others", () => {
  const fields = ENDPOINTS.map((endpoint) => [endpoint.name, Object.keys(fieldsOf(endpoint).shape)]);
  expect(Object.fromEntries(fields)).toEqual(SENT_BY_CALLERS);
});

test("what only people in the dashboard, the operator and the bank are refused with is not in the document", async () => {
  const document = await (await fetch(`${gateway.url}/openapi.json`)).text();
  expect(document).toContain('"rate_limited"');
  for (const code of [
    "sign_in_required",
    "role_required",
    "reauthentication_required",
    "conflict",
    "invalid_signature",
  ])
    expect(document).not.toContain(`"${code}"`);
});
