import { randomUUID } from "node:crypto";
import {
  browsePayments,
  sessionChanged,
  setAmountLimit,
  setPaymentLinkDisabled,
  showPayment,
} from "@collect/contracts";
import { recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { WHY_CLOSED } from "../../src/inbound/domain/payment-link.ts";
import { createLink, createLinkSession, createSessionsAtOnce, linksOf, readLink } from "./links-world.ts";
import { aShop, createPayment, type Shop, useSessions } from "./sessions-world.ts";

const world = await useSessions();
const changed = await recordFacts(world.others, sessionChanged);
const { readSession, paySession, expectCounted } = linksOf(world);

const scopeOf = ({ id, mode }: Shop) => ({ id, mode });

test("a payer who submits a link gets a session of its merchant and mode with all known details", async () => {
  const merchant = aShop("live");
  const { slug } = await createLink(world, merchant, { description: "Of brass" });
  const { session, created } = await createLinkSession(world, slug);
  expect(created).toBe(true);
  expect(session).toMatchObject({
    merchant: scopeOf(merchant),
    merchantName: "Ada Stores",
    status: "pending",
    amountRequested: "250000",
    description: "Lamp\nOf brass",
    redirectUrl: null,
    detailsRequired: false,
    openedBy: "payment_link",
  });
  expect(await readSession(merchant, session.reference)).toMatchObject({
    payment_link: slug,
    opened_by: "payment_link",
    merchant_reference: null,
    customer_reference: null,
    customer_name: "Ada Obi",
    checkout_url: `https://pay.example/pay/${session.reference}`,
  });
  const shown = await world.others.request(showPayment, { merchant, reference: session.reference });
  expect(shown.payer).toEqual({ name: "Ada Obi", email: "ada@example.com" });
  await until("published", () => changed.all.find(({ reference }) => reference === session.reference));
  await createPayment(world, merchant);
  const request = { merchant: scopeOf(merchant), payment_link: slug };
  const { data } = await world.others.request(browsePayments, request);
  expect(data.map(({ reference }) => reference)).toEqual([session.reference]);
  expect((await world.others.request(browsePayments, { ...request, status: "paid" })).data).toEqual([]);
});

test("the link's amount overrides the payer's; a link without one requires the payer's", async () => {
  const merchant = aShop();
  const fixed = await createLink(world, merchant);
  expect((await createLinkSession(world, fixed.slug, { amount: 1 })).session.amountRequested).toBe("250000");
  const open = await createLink(world, merchant, { amount: undefined });
  expect(open.amount).toBeNull();
  expect((await createLinkSession(world, open.slug, { amount: 12.5 })).session.amountRequested).toBe("1250");
  await expect(createLinkSession(world, open.slug)).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "amount", code: "required" }],
  });
});

test("the merchant's limit applies to payers of a link, even if it was lowered since", async () => {
  const merchant = aShop();
  const [fixed, open] = [await createLink(world, merchant), await createLink(world, merchant, { amount: undefined })];
  await world.others.request(setAmountLimit, { merchant_id: merchant.id, amount: 100 });
  await expect(createLinkSession(world, fixed.slug)).rejects.toMatchObject({ code: "amount_over_limit" });
  await expect(createLinkSession(world, open.slug, { amount: 100.01 })).rejects.toMatchObject({
    code: "amount_over_limit",
  });
  expect((await createLinkSession(world, open.slug, { amount: 100 })).created).toBe(true);
  await expectCounted(merchant, fixed.slug, { uses: 0, collected: 0 });
  expect(world.accounts.requestedBy(merchant.id)).toEqual([1]);
});

test("one key of a link is one session: the database refuses a second", async () => {
  const { slug } = await createLink(world, aShop());
  const { session } = await createLinkSession(world, slug);
  const again = world.owner.query(
    `insert into sessions select (jsonb_populate_record(s, '{"reference":"pay_other","slot_held":false}')).*
     from sessions s where reference = $1`,
    [session.reference],
  );
  await expect(again).rejects.toThrow("sessions_link_key_key");
});

test.each([
  ["disabled", "disabled = true"],
  ["expired", "expires_at = now()"],
  ["held", "uses_max = 1"],
] as const)(
  "a link that is %s creates no session, and returns the existing one for a page that is submitted again",
  async (status, set) => {
    const merchant = aShop();
    const { slug } = await createLink(world, merchant);
    const key = randomUUID();
    const { session } = await createLinkSession(world, slug, { key });
    await world.owner.query(`update payment_links set ${set} where slug = $1`, [slug]);
    expect((await readLink(world, merchant, slug)).status).toBe(status);
    await expect(createLinkSession(world, slug)).rejects.toMatchObject({
      code: "conflict",
      detail: WHY_CLOSED[status],
    });
    expect(await createLinkSession(world, slug, { key })).toEqual({ session, created: false });
    await expectCounted(merchant, slug, { uses: 1, collected: 0 });
  },
);

test("disabling a link does not change its sessions", async () => {
  const merchant = aShop();
  const { slug } = await createLink(world, merchant);
  const { session } = await createLinkSession(world, slug);
  await world.others.request(setPaymentLinkDisabled, { merchant: scopeOf(merchant), slug, disabled: true });
  await paySession(merchant, session.reference);
  expect(await readSession(merchant, session.reference)).toMatchObject({ status: "paid" });
  await expectCounted(merchant, slug, { uses: 1, collected: (await readSession(merchant, session.reference)).amount });
});

test("payers of links cannot grow the account pool without limit", async () => {
  const merchant = aShop();
  const links = await Promise.all([1, 2, 3].map(() => createLink(world, merchant)));
  const results = await Promise.all(links.map(({ slug }) => createSessionsAtOnce(world, slug, 70)));
  expect(results.flatMap(({ references }) => references)).toHaveLength(2 * 99);
  expect(new Set(results.flatMap(({ refused }) => refused.map(({ code }) => code)))).toEqual(
    new Set(["amount_slots_exhausted"]),
  );
  expect(new Set(world.accounts.requestedBy(merchant.id))).toEqual(new Set([1, 2]));
  for (const [n, { slug }] of links.entries())
    await expectCounted(merchant, slug, { uses: results[n]?.references.length ?? 0, collected: 0 });
  expect((await createPayment(world, merchant)).status).toBe("pending");
});
