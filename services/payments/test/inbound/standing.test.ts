import { randomUUID } from "node:crypto";
import { createPaymentLink, givePayerDetails, openLinkPayment, openPublicPayment } from "@collect/contracts";
import { beforeEach, expect, test } from "vitest";
import { refusalOf } from "../outbound/transfers-world.ts";
import { aShop, createSession, type Shop, useSessions } from "./sessions-world.ts";

const world = await useSessions();
const { merchants, others, accounts } = world;

beforeEach(() => {
  merchants.isDown = false;
});

const openPublic = (merchant: Shop, reference = "order-1") =>
  others.request(openPublicPayment, { merchant, amount: 100, reference, client_nonce: `the-nonce-of-${reference}` });
const createLink = (merchant: Shop, key: string = randomUUID()) =>
  others.request(createPaymentLink, { merchant, key, title: "Shoes" });
const pay = (slug: string, key = randomUUID()) =>
  others.request(openLinkPayment, { slug, key, amount: 100, name: "Funke Lawal", email: "funke@example.com" });
const sessionsOf = async ({ id }: Shop) =>
  (await world.owner.query("select from sessions where merchant_id = $1", [id])).rowCount;

test.each([
  ["draft", "verification_required"],
  ["submitted", "verification_required"],
  ["returned", "verification_required"],
  ["suspended", "merchant_suspended"],
] as const)(
  "a %s merchant opens no live session or link by any door: %s, and nothing is made",
  async (standing, code) => {
    const merchant = aShop("live");
    const { slug } = await createLink(merchant);
    merchants.stand(merchant.id, standing);
    const doors = [
      () => createSession(world, merchant),
      () => createSession(world, merchant, { customer_reference: "cust_1", customer_name: "Ada Obi" }),
      () => openPublic(merchant),
      () => createLink(merchant),
      () => pay(slug),
    ];
    for (const door of doors) expect(await refusalOf(door())).toBe(code);
    expect([await sessionsOf(merchant), accounts.requestedBy(merchant.id)]).toEqual([0, []]);
    merchants.stand(merchant.id, "verified");
    await createSession(world, merchant);
    await openPublic(merchant);
    await createLink(merchant);
    await pay(slug);
    expect(await sessionsOf(merchant)).toBe(3);
  },
);

test("a session that was opened before a suspension gets no account by its payer's details until the merchant is resumed", async () => {
  const merchant = aShop("live");
  merchants.stand(merchant.id, "verified", true);
  const { session } = await openPublic(merchant);
  const give = () =>
    others.request(givePayerDetails, { reference: session.reference, name: "Ada Obi", email: "ada@example.com" });
  merchants.stand(merchant.id, "suspended", true);
  expect(await refusalOf(give())).toBe("merchant_suspended");
  expect(accounts.requestedBy(merchant.id)).toEqual([]);
  merchants.stand(merchant.id, "verified", true);
  expect(await give()).toMatchObject({ detailsRequired: false });
});

test("what exists is answered while the merchant is suspended, and while the gateway is down", async () => {
  const merchant = aShop("live");
  const { payment } = await createSession(world, merchant, { reference: "order-1" });
  const shown = await openPublic(merchant, "public-1");
  const key = randomUUID();
  const link = await createLink(merchant, key);
  const paid = await pay(link.slug, key);
  const repeats = async () => {
    const again = await createSession(world, merchant, { reference: "order-1" });
    expect([again.created, again.payment.reference]).toEqual([false, payment.reference]);
    expect((await openPublic(merchant, "public-1")).session.reference).toBe(shown.session.reference);
    expect((await createLink(merchant, key)).slug).toBe(link.slug);
    expect((await pay(link.slug, key)).session.reference).toBe(paid.session.reference);
  };
  merchants.stand(merchant.id, "suspended", true);
  await repeats();
  merchants.isDown = true;
  await repeats();
  expect(await refusalOf(createSession(world, merchant))).toBe("service_unavailable");
  expect(await refusalOf(createLink(merchant))).toBe("service_unavailable");
  expect(await sessionsOf(merchant)).toBe(3);
});

test("test mode needs no verification and asks for none", async () => {
  const merchant = aShop("test");
  merchants.stand(merchant.id, "suspended");
  const asked = merchants.asked.length;
  await createSession(world, merchant);
  await pay((await createLink(merchant)).slug);
  expect(merchants.asked).toHaveLength(asked);
});

test("calls at once share questions, and every one of them is asked for", async () => {
  const merchant = aShop("live");
  const before = merchants.asked.length;
  await Promise.all(Array.from({ length: 20 }, () => createSession(world, merchant)));
  const questions = merchants.asked.slice(before);
  expect(questions.length).toBeLessThan(20);
  expect(new Set(questions.flat())).toEqual(new Set([merchant.id]));
});
