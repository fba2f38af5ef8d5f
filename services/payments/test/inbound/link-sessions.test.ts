import { randomUUID } from "node:crypto";
import {
  browsePayments,
  collectionPosted,
  getPayment,
  sessionChanged,
  setAmountLimit,
  setPaymentLinkDisabled,
  showPayment,
} from "@collect/contracts";
import { type FactLog, recordFacts, until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WHY_CLOSED } from "../../src/inbound/domain/payment-link.ts";
import { makeLink, openAtOnce, openLink, readLink } from "./links-world.ts";
import { aShop, kobo, money, openOne, openSessionsWorld, type SessionsWorld, type Shop } from "./sessions-world.ts";

let world: SessionsWorld;
let changed: FactLog<typeof sessionChanged>;

beforeAll(async () => {
  world = await openSessionsWorld();
  changed = await recordFacts(world.others, sessionChanged);
});

afterAll(() => world.stop());

const scopeOf = ({ id, mode }: Shop) => ({ id, mode });

const payment = (merchant: Shop, reference: string) => world.others.request(getPayment, { merchant, reference });

/** Money for the session: exactly what it asks unless said otherwise. */
async function pay(merchant: Shop, reference: string, given: Parameters<typeof money>[2] = {}): Promise<void> {
  const before = await payment(merchant, reference);
  await world.others.publish(collectionPosted, [money(before, merchant, given)]);
  await until("received", async () => (await payment(merchant, reference)).amount_received > before.amount_received);
}

/** What the link says of its uses is what its sessions say. */
async function expectCounted(merchant: Shop, slug: string, counted: { uses: number; collected: number }) {
  expect(await readLink(world, merchant, slug)).toMatchObject(counted);
  const { rows } = await world.owner.query<{ uses: number; unpaid: number; collected: bigint }>(
    `select count(*) filter (where status <> 'expired')::integer as uses,
       count(*) filter (where status in ('pending', 'processing'))::integer as unpaid,
       coalesce(sum(amount_received), 0)::bigint as collected
     from sessions where payment_link = $1`,
    [slug],
  );
  const [{ unpaid = undefined, ...counts } = {}] = rows;
  expect(counts).toEqual({ uses: counted.uses, collected: kobo(counted.collected) });
  const { rows: links } = await world.owner.query("select uses_unpaid from payment_links where slug = $1", [slug]);
  expect(links).toEqual([{ uses_unpaid: unpaid }]);
}

test("a payer who opens a link gets a session of its merchant and mode with all that is known", async () => {
  const merchant = aShop("live");
  const { slug } = await makeLink(world, merchant, { description: "Of brass" });
  const { session, created } = await openLink(world, slug);
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
  expect(await payment(merchant, session.reference)).toMatchObject({
    payment_link: slug,
    opened_by: "payment_link",
    merchant_reference: null,
    customer_reference: null,
    customer_name: "Ada Obi",
    checkout_url: `https://pay.example/pay/${session.reference}`,
  });
  const shown = await world.others.request(showPayment, { merchant, reference: session.reference });
  expect(shown.payer).toEqual({ name: "Ada Obi", email: "ada@example.com" });
  await until("told", () => changed.all.find(({ reference }) => reference === session.reference));
  await openOne(world, merchant);
  const asked = { merchant: scopeOf(merchant), payment_link: slug };
  const { data } = await world.others.request(browsePayments, asked);
  expect(data.map(({ reference }) => reference)).toEqual([session.reference]);
  expect((await world.others.request(browsePayments, { ...asked, status: "paid" })).data).toEqual([]);
});

test("the link's amount stands, whatever a payer says; without one the payer's does, and it is needed", async () => {
  const merchant = aShop();
  const fixed = await makeLink(world, merchant);
  expect((await openLink(world, fixed.slug, { amount: 1 })).session.amountRequested).toBe("250000");
  const open = await makeLink(world, merchant, { amount: undefined });
  expect(open.amount).toBeNull();
  expect((await openLink(world, open.slug, { amount: 12.5 })).session.amountRequested).toBe("1250");
  await expect(openLink(world, open.slug)).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "amount", code: "required" }],
  });
});

test("the merchant's limit holds for payers of a link, one that was lowered since too", async () => {
  const merchant = aShop();
  const [fixed, open] = [await makeLink(world, merchant), await makeLink(world, merchant, { amount: undefined })];
  await world.others.request(setAmountLimit, { merchant_id: merchant.id, amount: 100 });
  await expect(openLink(world, fixed.slug)).rejects.toMatchObject({ code: "amount_over_limit" });
  await expect(openLink(world, open.slug, { amount: 100.01 })).rejects.toMatchObject({ code: "amount_over_limit" });
  expect((await openLink(world, open.slug, { amount: 100 })).created).toBe(true);
  await expectCounted(merchant, fixed.slug, { uses: 0, collected: 0 });
  expect(world.accounts.askedFor(merchant.id)).toEqual([1]);
});

test("one key of a link is one session: the database refuses a second", async () => {
  const { slug } = await makeLink(world, aShop());
  const { session } = await openLink(world, slug);
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
  "a link that is %s opens no session, and gives the one of a page that is sent again",
  async (status, set) => {
    const merchant = aShop();
    const { slug } = await makeLink(world, merchant);
    const key = randomUUID();
    const { session } = await openLink(world, slug, { key });
    await world.owner.query(`update payment_links set ${set} where slug = $1`, [slug]);
    expect((await readLink(world, merchant, slug)).status).toBe(status);
    await expect(openLink(world, slug)).rejects.toMatchObject({ code: "conflict", detail: WHY_CLOSED[status] });
    expect(await openLink(world, slug, { key })).toEqual({ session, created: false });
    await expectCounted(merchant, slug, { uses: 1, collected: 0 });
  },
);

test("closing a link leaves its sessions as they are", async () => {
  const merchant = aShop();
  const { slug } = await makeLink(world, merchant);
  const { session } = await openLink(world, slug);
  await world.others.request(setPaymentLinkDisabled, { merchant: scopeOf(merchant), slug, disabled: true });
  await pay(merchant, session.reference);
  expect(await payment(merchant, session.reference)).toMatchObject({ status: "paid" });
  await expectCounted(merchant, slug, { uses: 1, collected: (await payment(merchant, session.reference)).amount });
});

test("payers of links do not have accounts made without end", async () => {
  const merchant = aShop();
  const links = await Promise.all([1, 2, 3].map(() => makeLink(world, merchant)));
  const each = await Promise.all(links.map(({ slug }) => openAtOnce(world, slug, 70)));
  expect(each.flatMap(({ opened }) => opened)).toHaveLength(2 * 99);
  expect(new Set(each.flatMap(({ refused }) => refused.map(({ code }) => code)))).toEqual(
    new Set(["amount_slots_exhausted"]),
  );
  expect(new Set(world.accounts.askedFor(merchant.id))).toEqual(new Set([1, 2]));
  for (const [n, { slug }] of links.entries())
    await expectCounted(merchant, slug, { uses: each[n]?.opened.length ?? 0, collected: 0 });
  expect((await openOne(world, merchant)).status).toBe("pending");
});
