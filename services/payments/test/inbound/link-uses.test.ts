import { randomUUID } from "node:crypto";
import { expireSession } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { UNPAID_MAX, WHY_CLOSED } from "../../src/inbound/domain/payment-link.ts";
import { createLink, createLinkSession, createSessionsAtOnce, linksOf, readLink } from "./links-world.ts";
import { ageSession, aShop, kobo, rowOf, type Shop, useSessions } from "./sessions-world.ts";

const world = await useSessions();
const { readSession, paySession, expectCounted } = linksOf(world);

const scopeOf = ({ id, mode }: Shop) => ({ id, mode });

const expire = (merchant: Shop, reference: string) =>
  world.others.request(expireSession, { merchant: scopeOf(merchant), reference });

test("of 40 concurrent payers a link with 5 uses accepts 5, and refuses the others with the reason", async () => {
  const merchant = aShop();
  const { slug } = await createLink(world, merchant, { uses_max: 5 });
  const { references, refused } = await createSessionsAtOnce(world, slug, 40);
  expect(new Set(references).size).toBe(5);
  for (const problem of refused) expect(problem).toMatchObject({ code: "conflict", detail: WHY_CLOSED.held });
  await expectCounted(merchant, slug, { uses: 5, collected: 0 });
  expect((await readLink(world, merchant, slug)).status).toBe("held");
});

test("20 concurrent submissions of one page create one session, even with the last use of a link", async () => {
  const merchant = aShop();
  const { slug } = await createLink(world, merchant, { uses_max: 1 });
  const key = randomUUID();
  const responses = await Promise.all(Array.from({ length: 20 }, () => createLinkSession(world, slug, { key })));
  expect(new Set(responses.map(({ session }) => session.reference)).size).toBe(1);
  expect(responses.filter(({ created }) => created)).toHaveLength(1);
  await expectCounted(merchant, slug, { uses: 1, collected: 0 });
  const other = await createLink(world, merchant);
  expect((await createLinkSession(world, other.slug, { key })).created).toBe(true);
});

test("an expired session returns its use, a paid one keeps it, and a late transfer takes it again", async () => {
  const merchant = aShop();
  const { slug } = await createLink(world, merchant, { uses_max: 1 });
  const first = (await createLinkSession(world, slug)).session.reference;
  await expect(createLinkSession(world, slug)).rejects.toMatchObject({ code: "conflict", detail: WHY_CLOSED.held });
  await expire(merchant, first);
  await expectCounted(merchant, slug, { uses: 0, collected: 0 });
  const second = (await createLinkSession(world, slug)).session.reference;
  await paySession(merchant, second);
  const { amount } = await readSession(merchant, second);
  await expectCounted(merchant, slug, { uses: 1, collected: amount });
  expect((await readLink(world, merchant, slug)).status).toBe("used_up");
  await expect(createLinkSession(world, slug)).rejects.toMatchObject({ code: "conflict", detail: WHY_CLOSED.used_up });
  await paySession(merchant, first, { afterS: 60 });
  expect((await rowOf(world, first)).status).toBe("paid_late");
  const late = (await readSession(merchant, first)).amount;
  await expectCounted(merchant, slug, { uses: 2, collected: Number(kobo(amount) + kobo(late)) / 100 });
  // What the bank takes back the link has not collected; its use stays taken.
  await world.owner.query("update sessions set amount_reversed = 7 where reference = $1", [second]);
  await expectCounted(merchant, slug, { uses: 2, collected: Number(kobo(amount) + kobo(late) - 7n) / 100 });
});

test("sessions of several links that the worker expires together are counted for each link", async () => {
  const merchant = aShop();
  const links = [await createLink(world, merchant), await createLink(world, merchant, { uses_max: 9 })];
  for (const { slug } of links) {
    const { references } = await createSessionsAtOnce(world, slug, 4);
    for (const reference of references.slice(1)) await ageSession(world, reference, 1_801);
  }
  for (const { slug } of links) {
    await until("returned", async () => (await readLink(world, merchant, slug)).uses === 1);
    await expectCounted(merchant, slug, { uses: 1, collected: 0 });
  }
});

test("a partial payment takes a use permanently: a link with a single use is used up", async () => {
  const merchant = aShop();
  const { slug } = await createLink(world, merchant, { uses_max: 1 });
  const { reference } = (await createLinkSession(world, slug)).session;
  await world.owner.query("update sessions set status = 'underpaid', amount_received = 100 where reference = $1", [
    reference,
  ]);
  expect((await readLink(world, merchant, slug)).status).toBe("used_up");
  await expectCounted(merchant, slug, { uses: 1, collected: 1 });
});

test("a link accepts a limited number of unpaid payments, and each that is paid or expires frees one", async () => {
  const merchant = aShop();
  const [link, other] = [await createLink(world, merchant), await createLink(world, merchant)];
  const { references, refused } = await createSessionsAtOnce(world, link.slug, UNPAID_MAX + 10);
  expect(new Set(references).size).toBe(UNPAID_MAX);
  expect(refused).toHaveLength(10);
  for (const problem of refused) expect(problem).toMatchObject({ code: "conflict", detail: WHY_CLOSED.held });
  expect((await readLink(world, merchant, link.slug)).status).toBe("held");
  expect((await createLinkSession(world, other.slug)).created).toBe(true);
  const [first = "", second = ""] = references;
  await paySession(merchant, first);
  await expire(merchant, second);
  const again = await createSessionsAtOnce(world, link.slug, 3);
  expect([again.references.length, again.refused.length]).toEqual([2, 1]);
});
