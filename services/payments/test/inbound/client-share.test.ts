import { getPayment, givePayerDetails, openPublicPayment } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { createLink, createLinkSession } from "./links-world.ts";
import {
  aCollectionFor,
  ageSession,
  aShop,
  createPay,
  createPayment,
  type Shop,
  useSessions,
} from "./sessions-world.ts";

const world = await useSessions();
const pay = await createPay(world);

/** A tenth of the slots of the two accounts that public callers can have here. */
const SHARE = 19;
const PRICE = 2_500;
const ADA = { name: "Ada Obi", email: "ada@example.com" };

const createPublic = async (merchant: Shop, amount = PRICE) =>
  (await world.others.request(openPublicPayment, { merchant, amount })).session.reference;
const give = (reference: string, client: string) =>
  world.others.request(givePayerDetails, { reference, client, ...ADA });
const take = async (merchant: Shop, client: string, amount = PRICE) =>
  give(await createPublic(merchant, amount), client);
const show = (merchant: Shop, reference: string) => world.others.request(getPayment, { merchant, reference });
const times = (count: number, call: (n: number) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, n) => call(n)));
const takenIn = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === "fulfilled").length;
const SPENT = { code: "amount_slots_exhausted", detail: expect.stringContaining("from this network") };

test("however many at once, one client takes no more than its share of a price, and others get theirs", async () => {
  const merchant = aShop();
  const references = await Promise.all(Array.from({ length: 60 }, () => createPublic(merchant)));
  expect(takenIn(await times(60, (n) => give(references[n] ?? "", "attacker")))).toBe(SHARE);
  await expect(take(merchant, "attacker")).rejects.toMatchObject(SPENT);
  expect(await take(merchant, "payer")).toMatchObject({ detailsRequired: false });
  expect(await take(aShop(), "attacker")).toMatchObject({ detailsRequired: false });
  expect(await take(merchant, "attacker", 2 * PRICE)).toMatchObject({ detailsRequired: false });
});

test("prices a few kobo apart have the same slots, so they share one share", async () => {
  const merchant = aShop();
  const offsets = [-0.98, -0.5, 0, 0.5, 0.98];
  const results = await times(3 * SHARE, (n) => take(merchant, "attacker", PRICE + (offsets[n % 5] ?? 0)));
  expect(takenIn(results)).toBeGreaterThanOrEqual(SHARE);
  const { rows } = await world.owner.query(
    "select count(*)::integer as n from sessions where merchant_id = $1 and slot_held and amount between 250001 and 250099",
    [merchant.id],
  );
  expect(rows[0].n).toBeLessThanOrEqual(SHARE);
});

test("links and public keys have one share of a client", async () => {
  const merchant = aShop();
  const links = await Promise.all([1, 2].map(() => createLink(world, merchant, { amount: PRICE })));
  const slugOf = (n: number) => links[n % 2]?.slug ?? "";
  const references = await Promise.all(Array.from({ length: 15 }, () => createPublic(merchant)));
  const taken = await Promise.all([
    times(15, (n) => give(references[n] ?? "", "attacker")),
    times(15, (n) => createLinkSession(world, slugOf(n), { client: "attacker" })),
  ]);
  expect(taken.map(takenIn).reduce((sum, count) => sum + count)).toBe(SHARE);
  await expect(createLinkSession(world, slugOf(0), { client: "attacker" })).rejects.toMatchObject(SPENT);
  expect((await createLinkSession(world, slugOf(0), { client: "payer" })).created).toBe(true);
});

test("a payment that is paid frees its client's share, and so does a slot whose time is over", async () => {
  const merchant = aShop();
  const references = await Promise.all(Array.from({ length: SHARE }, () => createPublic(merchant)));
  await Promise.all(references.map((reference) => give(reference, "network")));
  const [first = "", second = ""] = references;
  await expect(take(merchant, "network")).rejects.toMatchObject(SPENT);

  await pay(aCollectionFor(await show(merchant, first), merchant));
  expect((await show(merchant, first)).status).toBe("paid");
  expect(await take(merchant, "network")).toMatchObject({ detailsRequired: false });
  await expect(take(merchant, "network")).rejects.toMatchObject(SPENT);

  await ageSession(world, second, 3_660);
  expect(await take(merchant, "network")).toMatchObject({ detailsRequired: false });
  await until("the tag is forgotten", async () => {
    const { rows } = await world.owner.query("select client from sessions where reference = $1", [second]);
    return rows[0].client === null;
  });
});

test("the merchant's own server has no share", async () => {
  const merchant = aShop();
  for (let n = 0; n < SHARE + 2; n++) expect((await createPayment(world, merchant)).status).toBe("pending");
});
