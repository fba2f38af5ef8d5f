import { givePayerDetails, openPublicPayment } from "@collect/contracts";
import { expect, test } from "vitest";
import { aShop, createPayment, createSession, type Shop, useSessions } from "./sessions-world.ts";

const world = await useSessions();

const createPublic = (merchant: Shop, reference?: string, given: { amount?: number; redirect_url?: string } = {}) =>
  world.others.request(openPublicPayment, { merchant, amount: 2_500, reference, ...given });

test("merchant references from a public key neither find nor block those from the server", async () => {
  const merchant = aShop();
  const inBrowser = await createPublic(merchant, "order-10");
  const { payment, created } = await createSession(world, merchant, { reference: "order-10" });
  expect(created).toBe(true);
  expect(payment.reference).not.toBe(inBrowser.session.reference);
  expect(inBrowser).toMatchObject({
    created: true,
    merchant_reference: "order-10",
    checkout_url: `https://pay.example/pay/${inBrowser.session.reference}`,
    session: { openedBy: "public_key", detailsRequired: true, status: "pending", version: 1 },
  });
  expect(await createPublic(merchant, "order-10")).toEqual({ ...inBrowser, created: false });
});

test("with the public key, a stranger can neither create the session of an order in advance nor find the one that pays it", async () => {
  const merchant = aShop();
  const squatted = await createPublic(merchant, "order-11", { amount: 1, redirect_url: "https://evil.example" });
  const own = await createPublic(merchant, "order-11", { redirect_url: "https://shop.example" });
  expect([own.created, own.session.reference === squatted.session.reference]).toEqual([true, false]);
  expect(own.session).toMatchObject({ amountRequested: "250000", redirectUrl: "https://shop.example" });
  const details = { reference: own.session.reference, name: "Ada Obi", email: "ada@example.com" };
  await world.others.request(givePayerDetails, details);
  const guessed = await createPublic(merchant, "order-11", { redirect_url: "https://shop.example" });
  expect([guessed.created, guessed.session.reference === own.session.reference]).toEqual([true, false]);
});

test("20 concurrent identical calls with a public key create one session", async () => {
  const merchant = aShop();
  const responses = await Promise.all(Array.from({ length: 20 }, () => createPublic(merchant, "order-12")));
  expect(new Set(responses.map(({ session }) => session.reference)).size).toBe(1);
  expect(responses.filter(({ created }) => created)).toHaveLength(1);
});

test("a public key cannot grow the account pool without limit; the server still can", async () => {
  const merchant = aShop();
  const results = await Promise.allSettled(Array.from({ length: 250 }, () => createPublic(merchant)));
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused).toHaveLength(250 - 2 * 99);
  expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(["amount_slots_exhausted"]));
  // Concurrent calls may request the same account twice.
  expect(new Set(world.accounts.requestedBy(merchant.id))).toEqual(new Set([1, 2]));
  expect((await createPayment(world, merchant, { amount: 2_500 })).status).toBe("pending");
  expect(new Set(world.accounts.requestedBy(merchant.id))).toEqual(new Set([1, 2, 3]));
});
