import { countMinutes, findPayableSession, getPayment, readSessions, sessionChanged } from "@collect/contracts";
import { recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import {
  aCollectionFor,
  aCustomer,
  ageSession,
  aShop,
  createPay,
  createPayment,
  kobo,
  type Shop,
  useSessions,
} from "./sessions-world.ts";

const world = await useSessions({ expiring: { graceMs: 86_400_000 } });
const pay = await createPay(world);

test("a session is visible only to its merchant in its mode", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant);
  expect(await world.others.request(getPayment, { merchant, reference: session.reference })).toEqual(session);
  for (const other of [{ ...merchant, mode: "live" as const }, aShop()])
    await expect(
      world.others.request(getPayment, { merchant: other, reference: session.reference }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  await expect(world.others.request(getPayment, { merchant, reference: "pay_unknown" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("many sessions are read at once as they were published, and unknown ones are left out", async () => {
  const changed = await recordFacts(world.others, sessionChanged);
  const payments = [await createPayment(world, aShop()), await createPayment(world, aShop("live"))];
  const references = payments.map(({ reference }) => reference).toSorted();
  const { sessions } = await world.others.request(readSessions, { references: [...references, "pay_unknown"] });
  expect(sessions.map(({ reference }) => reference)).toEqual(references);
  for (const session of sessions) {
    const fact = await until("published", () => changed.all.find(({ reference }) => reference === session.reference));
    expect(sessionChanged.data.parse(session)).toEqual(fact);
  }
});

type By = Parameters<typeof payable>[1];
const payable = async (
  { id, mode }: Shop,
  by: { reference: string } | { account_number: string; to_expire: boolean } | { amount: number },
) => (await world.others.request(findPayableSession, { merchant: { id, mode }, by })).session;

test("a payable session is found by reference in any state, and only for its merchant and mode", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  const by: By = { reference: session.reference };
  const found = { reference: session.reference, account_number: session.account_number, amount: session.amount };
  expect(await payable(merchant, by)).toEqual({ ...found, amount_missing: session.amount, is_open: true });
  await pay(aCollectionFor(session, merchant, { amount: 100_000n }));
  const missing = Number(kobo(session.amount) - 100_000n) / 100;
  expect(await payable(merchant, by)).toEqual({ ...found, amount_missing: missing, is_open: true });
  await pay(aCollectionFor(session, merchant, { amount: 900_000n }));
  expect(await payable(merchant, by)).toEqual({ ...found, amount_missing: 0, is_open: false });
  expect(await payable(aShop(), by)).toBeNull();
  expect(await payable({ ...merchant, mode: "live" }, by)).toBeNull();
});

test("by a customer's account the newest open session is found", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const older = await createPayment(world, merchant, customer);
  const newer = await createPayment(world, merchant, { ...customer, amount: 10 });
  const by: By = { account_number: older.account_number, to_expire: false };
  await ageSession(world, older.reference, 5);
  expect(await payable(merchant, by)).toMatchObject({ reference: newer.reference });
  await pay(aCollectionFor(newer, merchant));
  expect(await payable(merchant, by)).toMatchObject({ reference: older.reference });
  await ageSession(world, older.reference, 1_800);
  expect(await payable(merchant, by)).toBeNull();
});

test("by amount the newest open session of exactly this amount on a collection account is found", async () => {
  const merchant = aShop();
  const onPool = await createPayment(world, merchant);
  const by: By = { amount: onPool.amount };
  expect(await payable(merchant, by)).toMatchObject({ reference: onPool.reference });
  expect(await payable(merchant, { amount: 2_500 })).toBeNull();
  expect(await payable(aShop(), by)).toBeNull();
  await pay(aCollectionFor(onPool, merchant));
  expect(await payable(merchant, by)).toBeNull();
  const customers = await createPayment(world, merchant, aCustomer());
  expect(await payable(merchant, { amount: customers.amount })).toBeNull();
});

test("collections received in [from, to) are counted and summed by mode and minute, each once", async () => {
  const [from, to] = ["2026-11-20T10:00:00.000+00:00", "2026-11-20T10:05:00.000+00:00"];
  const [merchant, live] = [aShop(), aShop("live")];
  const [testSession, liveSession] = [await createPayment(world, merchant), await createPayment(world, live)];
  const received = (receivedAt: string, amount: bigint) =>
    aCollectionFor(testSession, merchant, { receivedAt, amount });
  const inTime = [
    received(from, 100n),
    received("2026-11-20T10:00:59.999+00:00", 250n),
    received("2026-11-20T10:04:59.999+00:00", 100n),
    aCollectionFor(liveSession, live, { receivedAt: "2026-11-20T10:00:30.000+00:00", amount: 1_000n }),
  ];
  await pay(...inTime, received("2026-11-20T09:59:59.999+00:00", 7n), received(to, 7n));
  await pay(...inTime);
  expect((await world.others.request(countMinutes.payments, { from, to })).minutes).toMatchObject([
    { mode: "live", kind: "collection", minute: from, count: 1, sum: "1000" },
    { mode: "test", kind: "collection", minute: from, count: 2, sum: "350" },
    { mode: "test", kind: "collection", minute: "2026-11-20T10:04:00.000+00:00", count: 1, sum: "100" },
  ]);
});

test.each([
  ["more than a day", "2026-11-20T00:00:00.000+00:00", "2026-11-21T00:00:00.001+00:00"],
  ["a span that runs backwards", "2026-11-20T00:00:00.001+00:00", "2026-11-20T00:00:00.000+00:00"],
])("%s is not counted", async (_what, from, to) => {
  await expect(world.others.request(countMinutes.payments, { from, to })).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "to" }],
  });
});
