import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { snapshotOf } from "../../src/inbound/domain/session-view.ts";
import { type KnownCopy, restoreSessions } from "../../src/inbound/store/session-recovery.ts";
import { aSession } from "./a-session.ts";
import { createLink, linksOf, readLink } from "./links-world.ts";
import { aShop, useSessions } from "./sessions-world.ts";

const world = await useSessions({ expiring: { everyMs: 3_600_000 } });

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const open = { createdAt: inMinutes(-5), expiresAt: inMinutes(25), watchUntil: inMinutes(145) };
const copyOf = (given: Parameters<typeof aSession>[0]): KnownCopy => {
  const { kept, ...copy } = snapshotOf(aSession({ ...open, ...given }));
  if (!kept) throw new Error("the snapshot has no data of payments");
  return { ...copy, kept };
};
const stored = async (...references: string[]) => {
  const { rows } = await world.owner.query(
    "select reference, status, slot_held, version, amount_received from sessions where reference = any($1) order by created_at",
    [references],
  );
  return rows;
};

test("a lost session is restored at the version of its copy, without collections, and takes its slot", async () => {
  const [reference, accountNumber] = [randomId("pay"), "0000000025"];
  const paid = copyOf({
    reference,
    accountNumber,
    status: "paid",
    amountReceived: 1_000n,
    paidAt: open.createdAt,
    version: 4,
    metadata: { order: "17" },
  });
  for (let times = 0; times < 2; times++) {
    expect(await restoreSessions(world.pool, [paid])).toEqual([]);
    expect(await stored(reference)).toEqual([
      { reference, status: "pending", slot_held: true, version: 4, amount_received: 0n },
    ]);
  }
  const { rows } = await world.owner.query("select metadata from sessions where reference = $1", [reference]);
  expect(rows).toEqual([{ metadata: { order: "17" } }]);
});

test("a session whose account the restored database had not assigned yet gets the account and slot that its payer was shown", async () => {
  const reference = randomId("pay");
  const bare = { accountNumber: null, accountName: null, bankName: null, openedBy: "public_key" as const };
  const opened = copyOf({
    ...bare,
    reference,
    amount: 950n,
    watchUntil: open.expiresAt,
    clientNonce: randomId("nonce"),
  });
  expect(await restoreSessions(world.pool, [opened])).toEqual([]);
  expect(await stored(reference)).toMatchObject([{ status: "pending", slot_held: false, version: 1 }]);
  const quotedAt = inMinutes(-1);
  const payer = { payerName: "Ada Obi", payerEmail: "ada@example.com", detailsRequired: false };
  const given = { reference, openedBy: "public_key" as const, accountNumber: "0000000041", quotedAt, ...payer };
  for (let times = 0; times < 2; times++) {
    expect(await restoreSessions(world.pool, [copyOf({ ...given, version: 2 })])).toEqual([]);
    expect(await stored(reference)).toMatchObject([{ status: "pending", slot_held: true, version: 2 }]);
  }
  const { rows } = await world.owner.query(
    "select account_number, amount, quoted_at from sessions where reference = $1",
    [reference],
  );
  expect(rows).toMatchObject([{ account_number: "0000000041", amount: 1_000n }]);
  expect(Date.parse(rows[0].quoted_at)).toBe(Date.parse(quotedAt));
});

test("a session that took over the slot and the call of an expired one is restored beside it", async () => {
  const [first, second] = [randomId("pay_b"), randomId("pay_a")];
  const call = { openedBy: "public_key" as const, merchantReference: randomId("order"), accountNumber: "0000000033" };
  await restoreSessions(world.pool, [copyOf({ ...call, reference: first })]);
  expect(await stored(first)).toMatchObject([{ status: "pending", slot_held: true }]);
  // Lost by the restored database: the first session expired and released its slot, and the same call created another.
  const expired = copyOf({ ...call, reference: first, status: "expired", version: 3, watchUntil: inMinutes(-1) });
  const next = copyOf({ ...call, reference: second, createdAt: inMinutes(-2) });
  expect(await restoreSessions(world.pool, [next, expired])).toEqual([]);
  expect(await stored(first, second)).toMatchObject([
    { reference: first, status: "expired", version: 3 },
    { reference: second, status: "pending", version: 1 },
  ]);
});

test("a lost session of a link takes a use of it only while it is open or paid", async () => {
  const merchant = aShop();
  const { slug } = await createLink(world, merchant, { uses_max: 1 });
  const { expectCounted, paySession } = linksOf(world);
  const link = { openedBy: "payment_link" as const, paymentLink: slug, merchantId: merchant.id, mode: merchant.mode };
  const restored = async (given: Parameters<typeof aSession>[0]) => {
    const reference = randomId("pay");
    const copy = copyOf({ ...link, reference, linkKey: randomId("key"), ...given });
    for (let times = 0; times < 2; times++) expect(await restoreSessions(world.pool, [copy])).toEqual([]);
    return reference;
  };
  const expired = await restored({
    accountNumber: "0000000058",
    status: "expired",
    expiresAt: inMinutes(-1),
    version: 2,
  });
  await expectCounted(merchant, slug, { uses: 0, collected: 0 });
  expect((await readLink(world, merchant, slug)).status).toBe("active");
  await restored({ accountNumber: "0000000066", status: "paid", amountReceived: 1_000n });
  await expectCounted(merchant, slug, { uses: 1, collected: 0 });
  expect((await readLink(world, merchant, slug)).status).toBe("held");
  await paySession(merchant, expired, { afterS: 280 });
  await expectCounted(merchant, slug, { uses: 2, collected: 10 });
  expect((await stored(expired))[0]).toMatchObject({ status: "paid_late" });
});
