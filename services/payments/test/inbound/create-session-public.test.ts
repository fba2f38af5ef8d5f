import { openPublicPayment, setAmountLimit, type WireInput } from "@collect/contracts";
import { expect, test } from "vitest";
import { ageSession, aShop, createSession, type Shop, useSessions } from "./sessions-world.ts";

const world = await useSessions();

const NONCE = "0f8b2c61d4e94c7a";
type Call = Omit<WireInput<typeof openPublicPayment>, "merchant">;
const createPublic = (merchant: Shop, given: Partial<Call> = {}) =>
  world.others.request(openPublicPayment, { merchant, amount: 2_500, ...given });

test("merchant references from a public key neither find nor block those from the server", async () => {
  const merchant = aShop();
  const inBrowser = await createPublic(merchant, { reference: "order-10" });
  const { payment, created } = await createSession(world, merchant, { reference: "order-10" });
  expect(created).toBe(true);
  expect(payment.reference).not.toBe(inBrowser.session.reference);
  expect(inBrowser).toMatchObject({
    created: true,
    merchant_reference: "order-10",
    checkout_url: `https://pay.example/pay/${inBrowser.session.reference}`,
    session: { openedBy: "public_key", detailsRequired: true, status: "pending", version: 1 },
    warnings: [],
  });
});

test("1,000 calls with a public key take no slot and request no account", async () => {
  const merchant = aShop();
  const sessions = await Promise.all(Array.from({ length: 1_000 }, () => createPublic(merchant)));
  for (const { session } of sessions)
    expect(session).toMatchObject({ hasAccount: false, amount: "250000", amountRequested: "250000" });
  expect(world.accounts.requestedBy(merchant.id)).toEqual([]);
  const { rows } = await world.owner.query(
    "select count(*)::integer as held from sessions where merchant_id = $1 and slot_held",
    [merchant.id],
  );
  expect(rows).toEqual([{ held: 0 }]);
});

test("the same call with the same nonce returns the same session; without one, or with another's, it does not", async () => {
  const merchant = aShop();
  const call = { reference: "order-11", redirect_url: "https://shop.example" };
  const own = await createPublic(merchant, { ...call, client_nonce: NONCE });
  expect(await createPublic(merchant, { ...call, client_nonce: NONCE })).toEqual({ ...own, created: false });
  const stranger = { ...call, client_nonce: "another-callers-nonce" };
  for (const other of [call, stranger, { ...call, client_nonce: NONCE, amount: 1 }]) {
    const { session, created } = await createPublic(merchant, other);
    expect([created, session.reference === own.session.reference]).toEqual([true, false]);
  }
  const { session } = await createPublic(aShop(), { ...call, client_nonce: NONCE });
  expect(session.reference).not.toBe(own.session.reference);
});

test("20 concurrent identical calls with one nonce create one session", async () => {
  const merchant = aShop();
  const call = { reference: "order-12", client_nonce: NONCE };
  const responses = await Promise.all(Array.from({ length: 20 }, () => createPublic(merchant, call)));
  expect(new Set(responses.map(({ session }) => session.reference)).size).toBe(1);
  expect(responses.filter(({ created }) => created)).toHaveLength(1);
});

test("a session that has expired is not returned: the same nonce creates another", async () => {
  const merchant = aShop();
  const first = await createPublic(merchant, { client_nonce: NONCE });
  await ageSession(world, first.session.reference, 1_801);
  await world.owner.query("update sessions set status = 'expired' where reference = $1", [first.session.reference]);
  const second = await createPublic(merchant, { client_nonce: NONCE });
  expect([second.created, second.session.reference === first.session.reference]).toEqual([true, false]);
});

test("an amount above the merchant's limit is refused before anything is stored", async () => {
  const merchant = aShop();
  await world.others.request(setAmountLimit, { merchant_id: merchant.id, amount: 2_000 });
  await expect(createPublic(merchant)).rejects.toMatchObject({ code: "amount_over_limit" });
  expect((await createPublic(merchant, { amount: 2_000 })).created).toBe(true);
});
