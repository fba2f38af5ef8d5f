import { randomUUID } from "node:crypto";
import { giveCheckoutDetails, openCheckout } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { BUDGETS } from "../src/domain/budgets.ts";
import { solve } from "../src/page/browser/proof.js";
import { ADA, aLink, type CallResult, call, FORM, words } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { world, fakes, checkout, show, showPage } = await useCheckout({ proxies: "1" });

const from = (address: string) => ({ "x-forwarded-for": address });
const [ATTACKER, PAYER] = ["203.0.113.7", "198.51.100.9"];
const open = (key: string, address: string, fields: object = {}) =>
  call(checkout, "POST", "/checkout", { key, body: { amount: 2500, ...fields }, headers: from(address) });
const give = (reference: unknown, address: string, fields: object = {}) =>
  call(checkout, "POST", `/checkout/${reference}/details`, { body: { ...ADA, ...fields }, headers: from(address) });
const statusesOf = (results: CallResult[]) => results.map(({ status }) => status);

type Spent = { calls: number; address?: string; scope?: string };
/** Spends a budget as if other calls had been admitted. */
async function spend(action: keyof typeof BUDGETS, merchant: { id: string; mode: string }, given: Spent) {
  const { calls, address, scope = "" } = given;
  const key = ["gate", action, merchant.mode, merchant.id, scope].join(":");
  await world.owner.query(
    `insert into rate_limit_hits (key, hits, resets_at) values ($1, $2, clock_timestamp() + interval '1 hour')
     on conflict (key) do update set hits = excluded.hits`,
    [address ? `${key}:${address}` : key, calls],
  );
}

/** The proof of a refusal's challenge, as a browser finds it. */
function proofOf({ body }: CallResult): Promise<string> {
  const { challenge, difficulty } = Object(body.proof);
  return solve({ challenge, difficulty });
}
function proofOfPage(text: string): Promise<string> {
  const [, challenge = "", difficulty] = /data-challenge="([^"]+)" data-difficulty="(\d+)"/.exec(text) ?? [];
  return solve({ challenge, difficulty: Number(difficulty) });
}

describe("opening sessions with a public key", () => {
  test("an ordinary payer is never asked for a proof; a client beyond its budget is, and others are not", async () => {
    const { key } = fakes.aKey();
    const results = [];
    for (let n = 0; n < BUDGETS.open.client + 5; n++) results.push(await open(key, ATTACKER));
    expect(statusesOf(results)).toEqual([...Array(BUDGETS.open.client).fill(201), ...Array(5).fill(429)]);
    expect(results.at(-1)?.body).toMatchObject({ code: "proof_required", mode: "test", proof: { difficulty: 14 } });
    expect((await open(key, PAYER)).status).toBe(201);
    expect((await open(fakes.aKey().key, ATTACKER)).status).toBe(201);
  });

  test("a payer who shares the attacker's address solves it and passes, once for each proof", async () => {
    const { key, merchant } = fakes.aKey();
    await spend("open", merchant, { calls: BUDGETS.open.client, address: ATTACKER });
    const proof = await proofOf(await open(key, ATTACKER));
    const uses = await Promise.all([1, 2, 3].map(() => open(key, ATTACKER, { proof })));
    expect(statusesOf(uses).sort()).toEqual([201, 429, 429]);
  });

  test("challenges that were solved ahead are worth nothing once the client's own calls have raised its work", async () => {
    const { key, merchant } = fakes.aKey();
    await spend("open", merchant, { calls: BUDGETS.open.client, address: ATTACKER });
    const hoard = [await proofOf(await open(key, ATTACKER)), await proofOf(await open(key, ATTACKER))];
    await spend("open", merchant, { calls: 2 * BUDGETS.open.client, address: ATTACKER });
    expect((await open(key, ATTACKER, { proof: hoard[0] })).status).toBe(201);
    await spend("open", merchant, { calls: 3 * BUDGETS.open.client, address: ATTACKER });
    const refused = await open(key, ATTACKER, { proof: hoard[1] });
    expect(refused.body).toMatchObject({ code: "proof_required", proof: { difficulty: 16 } });
    // An honest browser that was overtaken solves the new one, unseen.
    expect((await open(key, ATTACKER, { proof: await proofOf(refused) })).status).toBe(201);
  });

  test("a challenge that one client was given is worth nothing to another", async () => {
    const { key, merchant } = fakes.aKey();
    for (const address of [ATTACKER, PAYER]) await spend("open", merchant, { calls: BUDGETS.open.client, address });
    const proof = await proofOf(await open(key, ATTACKER));
    expect((await open(key, PAYER, { proof })).body.code).toBe("proof_required");
    expect((await open(key, ATTACKER, { proof })).status).toBe(201);
  });

  test("a proof is worth nothing at another merchant, or for another kind of call", async () => {
    const [one, other] = [fakes.aKey(), fakes.aKey()];
    const opened = await open(one.key, PAYER);
    for (const { merchant } of [one, other]) await spend("open", merchant, { calls: 100, address: ATTACKER });
    await spend("slot", one.merchant, { calls: 100, address: ATTACKER });
    const proof = await proofOf(await open(one.key, ATTACKER));
    expect((await open(other.key, ATTACKER, { proof })).body.code).toBe("proof_required");
    expect((await give(opened.body.reference, ATTACKER, { proof })).body.code).toBe("proof_required");
    expect((await open(one.key, ATTACKER, { proof: "nonsense" })).body.code).toBe("proof_required");
    expect((await open(one.key, ATTACKER, { proof })).status).toBe(201);
  });

  test("beyond the merchant's budget every client is asked, and refused calls make nobody's work harder", async () => {
    const { key, merchant } = fakes.aKey();
    await spend("open", merchant, { calls: BUDGETS.open.shared });
    const refused = [];
    for (let n = 0; n < 20; n++) refused.push(await open(key, `203.0.113.${n}`));
    expect(refused.map(({ body }) => Object(body.proof).difficulty)).toEqual(Array(20).fill(14));
    const proof = await proofOf(await open(key, PAYER));
    expect((await open(key, PAYER, { proof })).status).toBe(201);
  });

  test("through the gateway the payer's address is counted, not the gateway's", async () => {
    const { merchant } = fakes.aKey();
    await spend("open", merchant, { calls: BUDGETS.open.client, address: ATTACKER });
    const asked = world.others.request(openCheckout, { merchant, amount: 2500, client: ATTACKER });
    await expect(asked).rejects.toMatchObject({ code: "proof_required", proof: { difficulty: 14 } });
    const opened = await world.others.request(openCheckout, { merchant, amount: 2500, client: PAYER });
    expect(opened.created).toBe(true);
    await spend("slot", merchant, { calls: BUDGETS.slot.client, address: ATTACKER });
    const details = { reference: opened.checkout.reference, ...ADA };
    await expect(world.others.request(giveCheckoutDetails, { ...details, client: ATTACKER })).rejects.toMatchObject({
      code: "proof_required",
    });
    expect((await world.others.request(giveCheckoutDetails, { ...details, client: PAYER })).amount).toBe(2500.73);
  });
});

test("what takes a slot names its client to payments: the same for one network, another for another network or merchant", async () => {
  const [one, other] = [fakes.aKey(), fakes.aKey()];
  const tagOf = async (key: string, address: string) => {
    await give((await open(key, PAYER)).body.reference, address);
    return fakes.requests.findLast(({ subject }) => subject === "details")?.input.client;
  };
  const tags = [await tagOf(one.key, PAYER), await tagOf(one.key, PAYER), await tagOf(one.key, ATTACKER)];
  const elsewhere = await tagOf(other.key, PAYER);
  expect(tags[0]).toMatch(/^[\w-]{22}$/);
  expect([tags[0] === tags[1], new Set([...tags, elsewhere]).size]).toEqual([true, 3]);
});

describe("giving details, which takes a slot", () => {
  test("is asked for a proof beyond the budget; a refusal stores nothing", async () => {
    const { key, merchant } = fakes.aKey("live");
    const { body } = await open(key, PAYER);
    await spend("slot", merchant, { calls: BUDGETS.slot.shared * 2 });
    const refused = await give(body.reference, PAYER);
    expect(refused.body).toMatchObject({ code: "proof_required", proof: { difficulty: 16 } });
    const hidden = { details_required: true, account_number: null, amount: 2500 };
    expect((await show(String(body.reference))).body).toMatchObject(hidden);
    const given = await give(body.reference, PAYER, { proof: await proofOf(refused) });
    expect(given.body).toMatchObject({ details_required: false, account_number: "0123456789", amount: 2500.73 });
  });

  const form = (reference: unknown, fields: Record<string, string> = {}) =>
    call(checkout, "POST", `/pay/${reference}/details`, {
      body: new URLSearchParams({ ...ADA, ...fields }).toString(),
      type: FORM,
      headers: from(PAYER),
    });

  test("on the page the form comes back with its values and the challenge for the script, and words without it", async () => {
    const { key, merchant } = fakes.aKey();
    const { body } = await open(key, PAYER);
    await spend("slot", merchant, { calls: BUDGETS.slot.shared });
    const { status, text } = await form(body.reference);
    expect(status).toBe(429);
    expect(text).toContain('value="Ada Obi"');
    expect(words(text)).toContain("The check needs JavaScript.");
    expect((await form(body.reference, { proof: await proofOfPage(text) })).status).toBe(303);
    expect((await showPage(String(body.reference))).text).toContain("₦2,500.73");
  });

  test("when no amount is free the form says so and keeps its values", async () => {
    const { body } = await open(fakes.aKey().key, PAYER);
    fakes.behavior.isFull = true;
    const { status, text } = await form(body.reference);
    fakes.behavior.isFull = false;
    expect([status, words(text)]).toEqual([503, expect.stringContaining("Don't send any money")]);
    expect(text).toContain("<title>Pay Ada Stores</title>");
    expect(text).toContain('value="Ada Obi"');
    expect((await form(body.reference)).status).toBe(303);
  });
});

test("a link's page is asked for a proof beyond its budget, and continues with it", async () => {
  const link = aLink();
  fakes.links.set(link.slug, link);
  const send = (fields: Record<string, string> = {}) =>
    call(checkout, "POST", `/l/${link.slug}`, {
      body: new URLSearchParams({ ...ADA, key: randomUUID(), ...fields }).toString(),
      type: FORM,
      headers: from(PAYER),
    });
  expect((await send()).status).toBe(303);
  await spend("link", link.merchant, { calls: BUDGETS.link.shared, scope: link.slug });
  const { status, text } = await send();
  expect(status).toBe(429);
  expect((await send({ proof: await proofOfPage(text) })).status).toBe(303);
});
