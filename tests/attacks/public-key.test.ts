import { getCheckoutSettings, setCheckoutSettings } from "@collect/contracts";
import { afterAll, expect, test } from "vitest";
import { solve } from "../../services/checkout/src/page/browser/proof.js";
import { type Answer, client } from "../stack/client.ts";
import { startStack } from "../stack.ts";

const behindProxy = { TRUSTED_PROXIES: "1" };
const stack = await startStack({ env: { checkout: behindProxy, gateway: behindProxy } });
afterAll(() => stack.stop());

const ADA = { name: "Ada Obi", email: "ada@example.com" };
const PRICE = 2_500;
const [ATTACKER, PAYER] = ["203.0.113.7", "198.51.100.9"];
const DOORS = { "the checkout host": stack.checkoutUrl, "the merchant API": stack.baseUrl };

/** Somebody's browser, at this address, with the key that a merchant's page shows to everybody. */
function browserAt(address: string, key?: string, door = stack.checkoutUrl) {
  const caller = client(door, key);
  const post = (path: string, json: object) =>
    caller.send("POST", path, { json, headers: { "x-forwarded-for": address } });
  return {
    open: (fields: object = {}) => post("/checkout", { amount: PRICE, ...fields }),
    give: (reference: unknown, fields: object = {}) => post(`/checkout/${reference}/details`, { ...ADA, ...fields }),
    show: async (reference: unknown) => (await caller.get(`/checkout/${reference}`)).body,
  };
}

/** As checkout.js does: repeats a call with the proof that it is asked for. */
async function withProof(call: (fields: object) => Promise<Answer>): Promise<Answer> {
  const first = await call({});
  if (first.body.code !== "proof_required") return first;
  const { challenge, difficulty } = Object(first.body.proof);
  return call({ proof: await solve({ challenge, difficulty }) });
}

async function flood(count: number, call: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 0; n < count; n += 50) answers.push(...(await Promise.all(Array.from({ length: 50 }, call))));
  return answers;
}

const codesOf = (answers: Answer[]) => new Set(answers.flatMap(({ body }) => body.code ?? []));

test.each(Object.entries(DOORS))(
  "1,500 calls with a public key at %s leave the price payable, for the attacker's neighbor too",
  async (_door, url) => {
    const { keys } = await stack.createMerchant({ name: "Ada Stores" });
    const attacker = browserAt(ATTACKER, keys.pk_live, url);
    const answers = await flood(1_500, () => attacker.open());
    const admitted = answers.filter(({ status }) => status === 201);
    // 30 a minute, should the machine take more than one.
    expect([30, 60, 90]).toContain(admitted.length);
    expect(codesOf(answers)).toEqual(new Set(["proof_required"]));
    const taken = await Promise.all(admitted.map(({ body }) => attacker.give(body.reference)));
    expect(taken.filter(({ status }) => status === 200)).toHaveLength(30);

    const honest = browserAt(PAYER, keys.pk_live, url);
    const opened = await honest.open();
    expect([opened.status, opened.body]).toMatchObject([201, { amount: PRICE, account_number: null }]);
    const given = await honest.give(opened.body.reference);
    expect([given.status, given.body]).toMatchObject([200, { account_number: expect.stringMatching(/^\d{10}$/) }]);
    expect(Number(given.body.amount)).toBeGreaterThan(PRICE);

    const neighbor = await withProof((fields) => attacker.open(fields));
    expect(neighbor.status).toBe(201);
    expect((await withProof((fields) => attacker.give(neighbor.body.reference, fields))).status).toBe(200);
  },
);

test("somebody who knows the key and the order gets neither the payer's session nor its account", async () => {
  const { keys } = await stack.createMerchant();
  const payer = browserAt(PAYER, keys.pk_live);
  const order = { reference: "order-1001", client_nonce: "0f8b2c61d4e94c7a" };
  const own = await payer.open(order);
  const attacker = browserAt(ATTACKER, keys.pk_live);
  for (const guess of [{ reference: "order-1001" }, { ...order, client_nonce: "somebody-elses-nonce" }]) {
    const other = await attacker.open(guess);
    expect([other.status, other.body.reference === own.body.reference]).toEqual([201, false]);
  }
  expect((await payer.give(own.body.reference)).status).toBe(200);
  const again = await payer.open(order);
  expect([again.status, again.body.reference]).toEqual([200, own.body.reference]);
});

test("a live public key sends no payer to a host that the merchant has not listed, and does not lend its name to a text", async () => {
  const { id, keys } = await stack.createMerchant({ name: "Ada Stores" });
  const merchant = { id, mode: "live" as const };
  const attacker = browserAt(ATTACKER, keys.pk_live);
  const lure = { redirect_url: "https://evil.example/card", description: "Call 0800 SCAM to confirm" };
  const lured = await attacker.open(lure);
  expect(lured.body.warnings).toMatchObject([{ param: "redirect_url", code: "return_host_not_allowed" }]);
  const server = client(stack.baseUrl, keys.sk_live);
  expect((await server.get(`/payments/${lured.body.reference}`)).body.redirect_url).toBeNull();
  const page = await (await fetch(String(lured.body.checkout_url))).text();
  expect(page).toContain("not checked by");
  expect(page).not.toMatch(/<a [^>]*evil\.example/);

  const settings = { return_hosts: ["shop.example"], public_descriptions: false };
  expect(await stack.bus.request(setCheckoutSettings, { merchant, ...settings })).toEqual(settings);
  expect(await stack.bus.request(getCheckoutSettings, { merchant })).toEqual(settings);
  expect((await attacker.open(lure)).body).toMatchObject({
    description: null,
    warnings: [{ code: "return_host_not_allowed" }, { code: "description_not_allowed" }],
  });
  const honest = await attacker.open({ redirect_url: "https://shop.example/done" });
  expect(honest.body.warnings).toEqual([]);
  const own = { amount: 100, redirect_url: "https://elsewhere.example/", description: "Shoes" };
  expect((await server.post("/payments", own)).body).toMatchObject({
    redirect_url: own.redirect_url,
    description: "Shoes",
  });
  const inTest = await browserAt(PAYER, keys.pk_test).open({ redirect_url: "https://localhost:3000/done" });
  expect(inTest.body.warnings).toEqual([]);
});

test("1,000 test streams do not turn a live payer away", async () => {
  const { keys } = await stack.createMerchant();
  const aSession = async (key: string) =>
    (await client(stack.baseUrl, key).post("/payments", { amount: 100, customer_name: "Ada Obi" })).body.reference;
  const closing = new AbortController();
  const stream = async (reference: unknown, address: string) => {
    const headers = { "x-forwarded-for": address };
    const url = `${stack.checkoutUrl}/pay/${reference}/live?version=1`;
    return (await fetch(url, { headers, signal: closing.signal })).status;
  };
  const references = await Promise.all(Array.from({ length: 50 }, () => aSession(keys.sk_test)));
  const statuses: number[] = [];
  for (const [n, reference] of references.entries())
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, () => stream(reference, `203.0.113.${n}`)))));
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200)).toHaveLength(250);
  expect(await stream(await aSession(keys.sk_live), PAYER)).toBe(200);
  closing.abort();
});
