import { randomUUID } from "node:crypto";
import { browsePaymentLinks, setAmountLimit, setPaymentLinkDisabled, showPaymentLink } from "@collect/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { walk } from "../walking.ts";
import { makeLink, openLink, readLink } from "./links-world.ts";
import { aShop, openSessionsWorld, type SessionsWorld, type Shop } from "./sessions-world.ts";

let world: SessionsWorld;

beforeAll(async () => {
  world = await openSessionsWorld();
});
afterAll(() => world.stop());

const scopeOf = ({ id, mode }: Shop) => ({ id, mode });
const disable = (merchant: Shop, slug: string, disabled = true) =>
  world.others.request(setPaymentLinkDisabled, { merchant: scopeOf(merchant), slug, disabled });
const showTo = (slug: string) => world.others.request(showPaymentLink, { slug });

test("a link is made with its terms, and shown to its merchant and to payers", async () => {
  const merchant = aShop();
  const link = await makeLink(world, merchant, {
    description: "Of brass",
    expires_at: "2030-01-01T00:00:00+01:00",
    uses_max: 3,
  });
  expect(link).toMatchObject({
    url: `https://pay.example/l/${link.slug}`,
    title: "Lamp",
    description: "Of brass",
    amount: 2_500,
    status: "active",
    expires_at: "2029-12-31T23:00:00.000+00:00",
    uses_max: 3,
    uses: 0,
    collected: 0,
    mode: "test",
  });
  expect(link.slug).toMatch(/^[1-9A-HJ-NP-Za-km-z]{10}$/);
  expect(await readLink(world, merchant, link.slug)).toEqual(link);
  expect(await showTo(link.slug)).toEqual({
    slug: link.slug,
    title: "Lamp",
    description: "Of brass",
    amount: 2_500,
    status: "active",
    mode: "test",
    merchant_name: "Ada Stores",
  });
});

test("20 calls at once with one key make one link, and each mode has keys of its own", async () => {
  const merchant = aShop();
  const key = randomUUID();
  const made = await Promise.all(Array.from({ length: 20 }, () => makeLink(world, merchant, { key })));
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(1);
  const live = await makeLink(world, { ...merchant, mode: "live" }, { key });
  expect(live.slug).not.toBe(made[0]?.slug);
});

test("the same key gives its link when its time is over too, and is refused with other terms", async () => {
  const merchant = aShop();
  const terms = { key: randomUUID(), expires_at: "2030-01-01T00:00:00Z" };
  const link = await makeLink(world, merchant, terms);
  await world.owner.query("update payment_links set created_at = now() - interval '1 day' where slug = $1", [
    link.slug,
  ]);
  expect((await makeLink(world, merchant, terms)).slug).toBe(link.slug);
  await expect(makeLink(world, merchant, { ...terms, title: "Lamps" })).rejects.toMatchObject({
    code: "reference_conflict",
  });
  const past = "2020-01-01T00:00:00.000+00:00";
  await world.owner.query("update payment_links set expires_at = $2 where slug = $1", [link.slug, past]);
  expect(await makeLink(world, merchant, { ...terms, expires_at: past })).toMatchObject({
    slug: link.slug,
    status: "expired",
  });
});

test("a link ends within ten years, whatever time is written, and in the form in which it is written", async () => {
  const merchant = aShop();
  const inYears = (years: number, days: number) => {
    const at = new Date();
    at.setUTCFullYear(at.getUTCFullYear() + years, at.getUTCMonth(), at.getUTCDate() + days);
    return at.toISOString();
  };
  for (const expires_at of [inYears(10, 1), "9999-12-31T23:00:00-05:00", "9999-12-31T23:59:59Z"])
    await expect(makeLink(world, merchant, { expires_at }), expires_at).rejects.toMatchObject({
      code: "validation_failed",
      errors: [{ param: "expires_at" }],
    });
  expect((await makeLink(world, merchant, { expires_at: inYears(10, -1) })).status).toBe("active");
  expect((await makeLink(world, merchant, { expires_at: "2030-01-02T00:00:00+20:00" })).expires_at).toBe(
    "2030-01-01T04:00:00.000+00:00",
  );
});

test("a link that could never be paid is not made", async () => {
  const merchant = aShop();
  await expect(makeLink(world, merchant, { expires_at: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "expires_at" }],
  });
  await expect(makeLink(world, merchant, { amount: 5_000_000.01 })).rejects.toMatchObject({
    code: "amount_over_limit",
    detail: "One payment may ask for at most ₦5,000,000.00.",
  });
  await world.others.request(setAmountLimit, { merchant_id: merchant.id, amount: 100 });
  await expect(makeLink(world, merchant, { amount: 100.01 })).rejects.toMatchObject({ code: "amount_over_limit" });
  expect((await makeLink(world, merchant, { amount: 100 })).amount).toBe(100);
  const { rowCount } = await world.owner.query("select from payment_links where merchant_id = $1", [merchant.id]);
  expect(rowCount).toBe(1);
});

test("a link is closed and opened again, and saying so twice changes nothing", async () => {
  const merchant = aShop();
  const { slug } = await makeLink(world, merchant);
  for (const _time of [1, 2]) expect(await disable(merchant, slug)).toMatchObject({ status: "disabled" });
  expect((await showTo(slug)).status).toBe("disabled");
  expect(await disable(merchant, slug, false)).toMatchObject({ status: "active" });
});

test("links are a merchant's and a mode's own, and what is no slug is nobody's", async () => {
  const merchant = aShop();
  const { slug } = await makeLink(world, merchant);
  for (const other of [aShop(), { ...merchant, mode: "live" as const }]) {
    await expect(readLink(world, other, slug)).rejects.toMatchObject({ code: "not_found" });
    await expect(disable(other, slug)).rejects.toMatchObject({ code: "not_found" });
    const listed = await world.others.request(browsePaymentLinks, { merchant: scopeOf(other) });
    expect(listed).toEqual({ data: [], next: null });
  }
  expect((await readLink(world, merchant, slug)).status).toBe("active");
  for (const unknown of ["1111111111", "short", "\u0000", `${slug}1`]) {
    for (const ask of [() => readLink(world, merchant, unknown), () => showTo(unknown), () => openLink(world, unknown)])
      await expect(ask()).rejects.toMatchObject({ code: "not_found" });
  }
});

test("a walk over all pages meets each link once, newest first, though some are made on the way", async () => {
  const merchant = aShop();
  const known: string[] = [];
  for (let n = 0; n < 7; n++) known.push((await makeLink(world, merchant)).slug);
  // All but the newest were made in one moment.
  await world.owner.query(
    "update payment_links set created_at = '2026-11-21T09:00:00Z' where merchant_id = $1 and slug <> $2",
    [merchant.id, known.at(-1)],
  );
  const found = await walk(
    (after) => world.others.request(browsePaymentLinks, { merchant: scopeOf(merchant), limit: 2, after }),
    () => makeLink(world, merchant),
  );
  const [newest, ...others] = found.map(({ slug }) => slug);
  expect(newest).toBe(known.at(-1));
  expect(new Set(others)).toEqual(new Set(known.slice(0, -1)));
  expect(others).toHaveLength(6);
});

test("what a link was made with cannot be changed by the service, nor the link be deleted", async () => {
  for (const change of ["update payment_links set amount = 1", "delete from payment_links"])
    await expect(world.pool.query(change)).rejects.toThrow("permission denied");
});
