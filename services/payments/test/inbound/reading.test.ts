import {
  collectionPosted,
  collectionSucceeded,
  countMinutes,
  findPayableSession,
  getPayment,
  readSessions,
  sessionChanged,
} from "@collect/contracts";
import { type FactLog, recordFacts, until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aCustomer,
  aShop,
  kobo,
  letPass,
  money,
  openOne,
  openSessionsWorld,
  type Posted,
  type SessionsWorld,
  type Shop,
} from "./sessions-world.ts";

let world: SessionsWorld;
let succeeded: FactLog<typeof collectionSucceeded>;

beforeAll(async () => {
  world = await openSessionsWorld({ expiring: { graceMs: 86_400_000 } });
  succeeded = await recordFacts(world.others, collectionSucceeded);
});
afterAll(() => world.stop());

async function pay(...posted: Posted[]): Promise<void> {
  await world.others.publish(collectionPosted, posted);
  for (const { intakeId } of posted)
    await until("passed on", () => succeeded.all.some((fact) => fact.intakeId === intakeId));
}

test("a session is read by its own merchant in its own mode, whoever opened it; for all others there is none", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant);
  expect(await world.others.request(getPayment, { merchant, reference: opened.reference })).toEqual(opened);
  for (const other of [{ ...merchant, mode: "live" as const }, aShop()])
    await expect(
      world.others.request(getPayment, { merchant: other, reference: opened.reference }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  await expect(world.others.request(getPayment, { merchant, reference: "pay_unknown" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("many sessions are read at once as they are told, and unknown ones are left out", async () => {
  const changed = await recordFacts(world.others, sessionChanged);
  const opened = [await openOne(world, aShop()), await openOne(world, aShop("live"))];
  const references = opened.map(({ reference }) => reference).toSorted();
  const { sessions } = await world.others.request(readSessions, { references: [...references, "pay_unknown"] });
  expect(sessions.map(({ reference }) => reference)).toEqual(references);
  for (const session of sessions) {
    const told = await until("told", () => changed.all.find(({ reference }) => reference === session.reference));
    expect(sessionChanged.data.parse(session)).toEqual(told);
  }
});

type By = Parameters<typeof payable>[1];
const payable = async (
  { id, mode }: Shop,
  by: { reference: string } | { account_number: string; to_expire: boolean } | { amount: number },
) => (await world.others.request(findPayableSession, { merchant: { id, mode }, by })).session;

test("what is to be paid is found by reference in any state, and only for its merchant and mode", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant, aCustomer());
  const by: By = { reference: opened.reference };
  const found = { reference: opened.reference, account_number: opened.account_number, amount: opened.amount };
  expect(await payable(merchant, by)).toEqual({ ...found, amount_missing: opened.amount, is_open: true });
  await pay(money(opened, merchant, { amount: 100_000n }));
  const missing = Number(kobo(opened.amount) - 100_000n) / 100;
  expect(await payable(merchant, by)).toEqual({ ...found, amount_missing: missing, is_open: true });
  await pay(money(opened, merchant, { amount: 900_000n }));
  expect(await payable(merchant, by)).toEqual({ ...found, amount_missing: 0, is_open: false });
  expect(await payable(aShop(), by)).toBeNull();
  expect(await payable({ ...merchant, mode: "live" }, by)).toBeNull();
});

test("by a customer's account it is the newest open one", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const older = await openOne(world, merchant, customer);
  const newer = await openOne(world, merchant, { ...customer, amount: 10 });
  const by: By = { account_number: older.account_number, to_expire: false };
  await letPass(world, older.reference, 5);
  expect(await payable(merchant, by)).toMatchObject({ reference: newer.reference });
  await pay(money(newer, merchant));
  expect(await payable(merchant, by)).toMatchObject({ reference: older.reference });
  await letPass(world, older.reference, 1_800);
  expect(await payable(merchant, by)).toBeNull();
});

test("by amount it is the newest open one of exactly this amount on a collection account", async () => {
  const merchant = aShop();
  const onPool = await openOne(world, merchant);
  const by: By = { amount: onPool.amount };
  expect(await payable(merchant, by)).toMatchObject({ reference: onPool.reference });
  expect(await payable(merchant, { amount: 2_500 })).toBeNull();
  expect(await payable(aShop(), by)).toBeNull();
  await pay(money(onPool, merchant));
  expect(await payable(merchant, by)).toBeNull();
  const customers = await openOne(world, merchant, aCustomer());
  expect(await payable(merchant, { amount: customers.amount })).toBeNull();
});

test("what was received in [from, to) is counted and summed by mode and minute, each collection once", async () => {
  const [from, to] = ["2026-11-20T10:00:00.000+00:00", "2026-11-20T10:05:00.000+00:00"];
  const [merchant, live] = [aShop(), aShop("live")];
  const [opened, liveOpened] = [await openOne(world, merchant), await openOne(world, live)];
  const received = (receivedAt: string, amount: bigint) => money(opened, merchant, { receivedAt, amount });
  const inTime = [
    received(from, 100n),
    received("2026-11-20T10:00:59.999+00:00", 250n),
    received("2026-11-20T10:04:59.999+00:00", 100n),
    money(liveOpened, live, { receivedAt: "2026-11-20T10:00:30.000+00:00", amount: 1_000n }),
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
  ["a time that runs backwards", "2026-11-20T00:00:00.001+00:00", "2026-11-20T00:00:00.000+00:00"],
])("%s is not counted", async (_what, from, to) => {
  await expect(world.others.request(countMinutes.payments, { from, to })).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "to" }],
  });
});
