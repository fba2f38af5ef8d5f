import { randomUUID } from "node:crypto";
import { collectionPosted, expireSession, getPayment } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UNPAID_MAX, WHY_CLOSED } from "../../src/inbound/domain/payment-link.ts";
import { makeLink, openAtOnce, openLink, readLink } from "./links-world.ts";
import {
  aShop,
  kobo,
  letPass,
  money,
  openSessionsWorld,
  rowOf,
  type SessionsWorld,
  type Shop,
} from "./sessions-world.ts";

let world: SessionsWorld;

beforeAll(async () => {
  world = await openSessionsWorld();
});

afterAll(() => world.stop());

const scopeOf = ({ id, mode }: Shop) => ({ id, mode });

const payment = (merchant: Shop, reference: string) => world.others.request(getPayment, { merchant, reference });

const expire = (merchant: Shop, reference: string) =>
  world.others.request(expireSession, { merchant: scopeOf(merchant), reference });

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

test("of 40 payers at once a link with 5 uses lets 5 in, and tells the others why not", async () => {
  const merchant = aShop();
  const { slug } = await makeLink(world, merchant, { uses_max: 5 });
  const { opened, refused } = await openAtOnce(world, slug, 40);
  expect(new Set(opened).size).toBe(5);
  for (const problem of refused) expect(problem).toMatchObject({ code: "conflict", detail: WHY_CLOSED.held });
  await expectCounted(merchant, slug, { uses: 5, collected: 0 });
  expect((await readLink(world, merchant, slug)).status).toBe("held");
});

test("20 of the same page at once open one session, with the last use of a link too", async () => {
  const merchant = aShop();
  const { slug } = await makeLink(world, merchant, { uses_max: 1 });
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 20 }, () => openLink(world, slug, { key })));
  expect(new Set(answers.map(({ session }) => session.reference)).size).toBe(1);
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  await expectCounted(merchant, slug, { uses: 1, collected: 0 });
  const other = await makeLink(world, merchant);
  expect((await openLink(world, other.slug, { key })).created).toBe(true);
});

test("a session that expires gives its use back, one that was paid keeps it, and late money takes it again", async () => {
  const merchant = aShop();
  const { slug } = await makeLink(world, merchant, { uses_max: 1 });
  const first = (await openLink(world, slug)).session.reference;
  await expect(openLink(world, slug)).rejects.toMatchObject({ code: "conflict", detail: WHY_CLOSED.held });
  await expire(merchant, first);
  await expectCounted(merchant, slug, { uses: 0, collected: 0 });
  const second = (await openLink(world, slug)).session.reference;
  await pay(merchant, second);
  const { amount } = await payment(merchant, second);
  await expectCounted(merchant, slug, { uses: 1, collected: amount });
  expect((await readLink(world, merchant, slug)).status).toBe("used_up");
  await expect(openLink(world, slug)).rejects.toMatchObject({ code: "conflict", detail: WHY_CLOSED.used_up });
  await pay(merchant, first, { afterS: 60 });
  expect((await rowOf(world, first)).status).toBe("paid_late");
  const late = (await payment(merchant, first)).amount;
  await expectCounted(merchant, slug, { uses: 2, collected: Number(kobo(amount) + kobo(late)) / 100 });
});

test("sessions of several links whose time is up at once, as the worker closes them, are counted for each", async () => {
  const merchant = aShop();
  const links = [await makeLink(world, merchant), await makeLink(world, merchant, { uses_max: 9 })];
  for (const { slug } of links) {
    const { opened } = await openAtOnce(world, slug, 4);
    for (const reference of opened.slice(1)) await letPass(world, reference, 1_801);
  }
  for (const { slug } of links) {
    await until("given back", async () => (await readLink(world, merchant, slug)).uses === 1);
    await expectCounted(merchant, slug, { uses: 1, collected: 0 });
  }
});

test("money for a part of what is asked takes a use for good: a link with that use is used up", async () => {
  const merchant = aShop();
  const { slug } = await makeLink(world, merchant, { uses_max: 1 });
  const { reference } = (await openLink(world, slug)).session;
  await world.owner.query("update sessions set status = 'underpaid', amount_received = 100 where reference = $1", [
    reference,
  ]);
  expect((await readLink(world, merchant, slug)).status).toBe("used_up");
  await expectCounted(merchant, slug, { uses: 1, collected: 1 });
});

test("one link holds so many unpaid payments at once and no more, and each that is paid or expires makes room", async () => {
  const merchant = aShop();
  const [link, other] = [await makeLink(world, merchant), await makeLink(world, merchant)];
  const { opened, refused } = await openAtOnce(world, link.slug, UNPAID_MAX + 10);
  expect(new Set(opened).size).toBe(UNPAID_MAX);
  expect(refused).toHaveLength(10);
  for (const problem of refused) expect(problem).toMatchObject({ code: "conflict", detail: WHY_CLOSED.held });
  expect((await readLink(world, merchant, link.slug)).status).toBe("held");
  expect((await openLink(world, other.slug)).created).toBe(true);
  const [first = "", second = ""] = opened;
  await pay(merchant, first);
  await expire(merchant, second);
  const again = await openAtOnce(world, link.slug, 3);
  expect([again.opened.length, again.refused.length]).toEqual([2, 1]);
});
