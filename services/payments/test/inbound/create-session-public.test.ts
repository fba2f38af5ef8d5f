import { givePayerDetails, openPublicPayment } from "@collect/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aShop, open, openOne, openSessionsWorld, type SessionsWorld, type Shop } from "./sessions-world.ts";

let world: SessionsWorld;

beforeAll(async () => {
  world = await openSessionsWorld();
});

afterAll(() => world.stop());

const openPublic = (merchant: Shop, reference?: string, given: { amount?: number; redirect_url?: string } = {}) =>
  world.others.request(openPublicPayment, { merchant, amount: 2_500, reference, ...given });

test("references from a public key neither find nor block those of the server", async () => {
  const merchant = aShop();
  const inBrowser = await openPublic(merchant, "order-10");
  const { payment, created } = await open(world, merchant, { reference: "order-10" });
  expect(created).toBe(true);
  expect(payment.reference).not.toBe(inBrowser.session.reference);
  expect(inBrowser).toMatchObject({
    created: true,
    merchant_reference: "order-10",
    checkout_url: `https://pay.example/pay/${inBrowser.session.reference}`,
    session: { openedBy: "public_key", detailsRequired: true, status: "pending", version: 1 },
  });
  expect(await openPublic(merchant, "order-10")).toEqual({ ...inBrowser, created: false });
});

test("a stranger with the public key can neither open somebody's order in advance nor find the session that pays it", async () => {
  const merchant = aShop();
  const squatted = await openPublic(merchant, "order-11", { amount: 1, redirect_url: "https://evil.example" });
  const own = await openPublic(merchant, "order-11", { redirect_url: "https://shop.example" });
  expect([own.created, own.session.reference === squatted.session.reference]).toEqual([true, false]);
  expect(own.session).toMatchObject({ amountRequested: "250000", redirectUrl: "https://shop.example" });
  const details = { reference: own.session.reference, name: "Ada Obi", email: "ada@example.com" };
  await world.others.request(givePayerDetails, details);
  const guessed = await openPublic(merchant, "order-11", { redirect_url: "https://shop.example" });
  expect([guessed.created, guessed.session.reference === own.session.reference]).toEqual([true, false]);
});

test("20 of the same call with a public key at once open one session", async () => {
  const merchant = aShop();
  const opened = await Promise.all(Array.from({ length: 20 }, () => openPublic(merchant, "order-12")));
  expect(new Set(opened.map(({ session }) => session.reference)).size).toBe(1);
  expect(opened.filter(({ created }) => created)).toHaveLength(1);
});

test("a public key does not have accounts made without end; the server still has", async () => {
  const merchant = aShop();
  const opened = await Promise.allSettled(Array.from({ length: 250 }, () => openPublic(merchant)));
  const refused = opened.filter((each) => each.status === "rejected");
  expect(refused).toHaveLength(250 - 2 * 99);
  expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(["amount_slots_exhausted"]));
  // Who asks at once may ask for the same one twice.
  expect(new Set(world.accounts.askedFor(merchant.id))).toEqual(new Set([1, 2]));
  expect((await openOne(world, merchant, { amount: 2_500 })).status).toBe("pending");
  expect(new Set(world.accounts.askedFor(merchant.id))).toEqual(new Set([1, 2, 3]));
});
