import { randomUUID } from "node:crypto";
import {
  browsePaymentLinks,
  NO_BRANDING,
  setAmountLimit,
  setPaymentLinkDisabled,
  showPaymentLink,
  sumPaymentLinks,
} from "@collect/contracts";
import { expect, test } from "vitest";
import { readAllPages } from "../paging.ts";
import { createLink, createLinkSession, readLink } from "./links-world.ts";
import { aShop, type Shop, useSessions } from "./sessions-world.ts";

const world = await useSessions();

const scopeOf = ({ id, mode }: Shop) => ({ id, mode });
const disable = (merchant: Shop, slug: string, disabled = true) =>
  world.others.request(setPaymentLinkDisabled, { merchant: scopeOf(merchant), slug, disabled });
const showTo = (slug: string) => world.others.request(showPaymentLink, { slug });

test("a link is created with its terms, and visible to its merchant and to payers", async () => {
  const merchant = aShop();
  const link = await createLink(world, merchant, {
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
    merchant: { id: merchant.id, mode: "test" },
    merchant_name: "Ada Stores",
    branding: NO_BRANDING,
  });
});

test("20 concurrent calls with one key create one link, and each mode has its own keys", async () => {
  const merchant = aShop();
  const key = randomUUID();
  const links = await Promise.all(Array.from({ length: 20 }, () => createLink(world, merchant, { key })));
  expect(new Set(links.map(({ slug }) => slug)).size).toBe(1);
  const live = await createLink(world, { ...merchant, mode: "live" }, { key });
  expect(live.slug).not.toBe(links[0]?.slug);
});

test("the same key returns its link even after its expiry, and is refused with other terms", async () => {
  const merchant = aShop();
  const terms = { key: randomUUID(), expires_at: "2030-01-01T00:00:00Z" };
  const link = await createLink(world, merchant, terms);
  await world.owner.query("update payment_links set created_at = now() - interval '1 day' where slug = $1", [
    link.slug,
  ]);
  expect((await createLink(world, merchant, terms)).slug).toBe(link.slug);
  await expect(createLink(world, merchant, { ...terms, title: "Lamps" })).rejects.toMatchObject({
    code: "reference_conflict",
  });
  const past = "2020-01-01T00:00:00.000+00:00";
  await world.owner.query("update payment_links set expires_at = $2 where slug = $1", [link.slug, past]);
  expect(await createLink(world, merchant, { ...terms, expires_at: past })).toMatchObject({
    slug: link.slug,
    status: "expired",
  });
});

test("a link expires within ten years, in whatever format the time is given", async () => {
  const merchant = aShop();
  const inYears = (years: number, days: number) => {
    const at = new Date();
    at.setUTCFullYear(at.getUTCFullYear() + years, at.getUTCMonth(), at.getUTCDate() + days);
    return at.toISOString();
  };
  for (const expires_at of [inYears(10, 1), "9999-12-31T23:00:00-05:00", "9999-12-31T23:59:59Z"])
    await expect(createLink(world, merchant, { expires_at }), expires_at).rejects.toMatchObject({
      code: "validation_failed",
      errors: [{ param: "expires_at" }],
    });
  expect((await createLink(world, merchant, { expires_at: inYears(10, -1) })).status).toBe("active");
  expect((await createLink(world, merchant, { expires_at: "2030-01-02T00:00:00+20:00" })).expires_at).toBe(
    "2030-01-01T04:00:00.000+00:00",
  );
});

test("a link that could never be paid is refused", async () => {
  const merchant = aShop();
  await expect(createLink(world, merchant, { expires_at: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "expires_at" }],
  });
  await expect(createLink(world, merchant, { amount: 5_000_000.01 })).rejects.toMatchObject({
    code: "amount_over_limit",
    detail: "One payment may ask for at most ₦5,000,000.00.",
  });
  await world.others.request(setAmountLimit, { merchant_id: merchant.id, amount: 100 });
  await expect(createLink(world, merchant, { amount: 100.01 })).rejects.toMatchObject({ code: "amount_over_limit" });
  expect((await createLink(world, merchant, { amount: 100 })).amount).toBe(100);
  const { rowCount } = await world.owner.query("select from payment_links where merchant_id = $1", [merchant.id]);
  expect(rowCount).toBe(1);
});

test("a link is disabled and enabled again, and a repeat changes nothing", async () => {
  const merchant = aShop();
  const { slug } = await createLink(world, merchant);
  for (const _time of [1, 2]) expect(await disable(merchant, slug)).toMatchObject({ status: "disabled" });
  expect((await showTo(slug)).status).toBe("disabled");
  expect(await disable(merchant, slug, false)).toMatchObject({ status: "active" });
});

test("links are scoped by merchant and mode, and an invalid slug is not found", async () => {
  const merchant = aShop();
  const { slug } = await createLink(world, merchant);
  for (const other of [aShop(), { ...merchant, mode: "live" as const }]) {
    await expect(readLink(world, other, slug)).rejects.toMatchObject({ code: "not_found" });
    await expect(disable(other, slug)).rejects.toMatchObject({ code: "not_found" });
    const listed = await world.others.request(browsePaymentLinks, { merchant: scopeOf(other) });
    expect(listed).toEqual({ data: [], next: null });
  }
  expect((await readLink(world, merchant, slug)).status).toBe("active");
  for (const unknown of ["1111111111", "short", "\u0000", `${slug}1`]) {
    for (const read of [
      () => readLink(world, merchant, unknown),
      () => showTo(unknown),
      () => createLinkSession(world, unknown),
    ])
      await expect(read()).rejects.toMatchObject({ code: "not_found" });
  }
});

test("paging returns each link once, newest first, even while others are created", async () => {
  const merchant = aShop();
  const known: string[] = [];
  for (let n = 0; n < 7; n++) known.push((await createLink(world, merchant)).slug);
  // All but the newest were created at the same time.
  await world.owner.query(
    "update payment_links set created_at = '2026-11-21T09:00:00Z' where merchant_id = $1 and slug <> $2",
    [merchant.id, known.at(-1)],
  );
  const found = await readAllPages(
    (after) => world.others.request(browsePaymentLinks, { merchant: scopeOf(merchant), limit: 2, after }),
    () => createLink(world, merchant),
  );
  const [newest, ...others] = found.map(({ slug }) => slug);
  expect(newest).toBe(known.at(-1));
  expect(new Set(others)).toEqual(new Set(known.slice(0, -1)));
  expect(others).toHaveLength(6);
});

test("links are found by a word of the title, narrowed by amount, time and selection, and summed alike", async () => {
  const merchant = aShop();
  const fees = await createLink(world, merchant, { title: "Spring school fees", amount: 500 });
  const lamp = await createLink(world, merchant, { title: "Lamp", amount: 20 });
  await world.owner.query(
    "update payment_links set created_at = '2026-11-21T09:00:00Z', collected = 700 where slug = $1",
    [fees.slug],
  );
  type Given = { search?: string; amount_from?: string; references?: string; from?: string };
  const listed = async (given: Given, of = merchant) =>
    (await world.others.request(browsePaymentLinks, { merchant: scopeOf(of), ...given })).data.map(({ slug }) => slug);
  expect(await listed({ search: "SCHOOL" })).toEqual([fees.slug]);
  expect(await listed({ search: "chool" })).toEqual([]);
  expect(await listed({ amount_from: "20.01" })).toEqual([fees.slug]);
  expect(await listed({ from: "2026-11-21T09:00:00.001Z" })).toEqual([lamp.slug]);
  expect(await listed({ references: `${fees.slug},x`, search: "lamp" })).toEqual([]);
  expect(await listed({ references: `${fees.slug},x` })).toEqual([fees.slug]);
  await expect(listed({ amount_from: "ten" })).rejects.toMatchObject({ code: "validation_failed" });
  const sum = async (given: Given, of = merchant) =>
    (await world.others.request(sumPaymentLinks, { merchant: scopeOf(of), ...given })).totals;
  expect(await sum({})).toEqual({ count: 2, collected: 7 });
  expect(await sum({ search: "lamp" })).toEqual({ count: 1, collected: 0 });
  for (const other of [aShop(), { ...merchant, mode: "live" as const }]) {
    expect(await listed({ references: fees.slug, search: "school" }, other)).toEqual([]);
    expect(await sum({}, other)).toEqual({ count: 0, collected: 0 });
  }
});

test("the service can neither change the terms of a link nor delete it", async () => {
  for (const change of ["update payment_links set amount = 1", "delete from payment_links"])
    await expect(world.pool.query(change)).rejects.toThrow("permission denied");
});
