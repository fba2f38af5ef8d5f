import { nuban } from "@collect/bank";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** An account of the test bank, whose last serial digit determines the outcome. */
const scripted = (digit: number) => nuban({ bankCode: "000", serial: String(12_345_670 + digit).padStart(9, "0") });

async function aShop() {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const body = async (path: string) => (await api.get(path)).body as Record<string, string>;
  const make = async (path: string, order: object) => (await api.post(path, order)).body as Record<string, string>;
  const clock = (order: object) => api.post("/sandbox/clock", order);
  /** Advances the clock, with one call. */
  const advance = async (order: object) => {
    const { status, body } = await clock(order);
    expect([status, body]).toMatchObject([200, { has_more: false, mode: "test" }]);
    return String(body.now);
  };
  return { merchant, api, body, make, clock, advance };
}
const later = (instant: string | undefined, seconds: number) =>
  new Date(Date.parse(String(instant)) + seconds * 1_000).toISOString().replace("Z", "+00:00");

test("a session ends when the test clock reaches its time, and not before", async () => {
  const { make, body, advance } = await aShop();
  const session = await make("/payments", { amount: 500 });
  const status = async () => (await body(`/payments/${session.reference}`)).status;
  await advance({ advance_to: later(session.expires_at, -1) });
  expect(await status()).toBe("pending");
  expect(await advance({ advance_by: 1 })).toBe(session.expires_at);
  expect(await status()).toBe("expired");
});

test("money that arrives after the end is late by the test clock, and in time for a session that was made by it", async () => {
  const { make, body, advance } = await aShop();
  const pay = (session: Record<string, string>) =>
    make("/sandbox/pay", { outcome: "paid", payment_reference: session.reference });
  const late = await make("/payments", { amount: 500 });
  const now = await advance({ advance_by: HOUR_S });
  const inTime = await make("/payments", { amount: 500 });
  expect(inTime).toMatchObject({ created_at: now, expires_at: later(now, HOUR_S / 2) });
  await pay(late);
  await pay(inTime);
  expect(await body(`/payments/${late.reference}`)).toMatchObject({
    status: "paid_late",
    paid_at: now,
    collections: [{ paid_at: now }],
  });
  expect(await body(`/payments/${inTime.reference}`)).toMatchObject({
    status: "paid",
    paid_at: now,
    collections: [{ paid_at: now }],
  });
});

test("what was collected is settled on the next morning in Lagos, and what is settled on request once more at the same time", async () => {
  const { make, body, advance } = await aShop();
  const midnight = await advance({ advance_to: "2026-12-24T23:00:00Z" });
  await make("/sandbox/pay", { outcome: "paid", amount: 100 });
  expect(await body("/balance")).toMatchObject({ collected: 99, settled: 0, as_of: midnight });
  await advance({ advance_to: "2026-12-26T04:59:59Z" });
  expect(await body("/balance")).toMatchObject({ collected: 99, settled: 0 });
  await advance({ advance_by: 1 });
  expect(await body("/balance")).toMatchObject({ collected: 0, settled: 99 });
  expect((await body("/settlements")).data).toMatchObject([
    { amount: 99, cut_off: "2026-12-25T23:00:00.000+00:00", created_at: "2026-12-26T05:00:00.000+00:00" },
  ]);

  for (const amount of [200, 300]) {
    await make("/sandbox/pay", { outcome: "paid", amount });
    expect(await make("/sandbox/settle", {})).toMatchObject({ settlement: { amount: amount * 0.99 } });
  }
  expect(await make("/sandbox/settle", {})).toMatchObject({ settlement: null });
  expect(await body("/balance")).toMatchObject({ collected: 0, settled: 594 });
  await make("/sandbox/pay", { outcome: "paid", amount: 400 });
  await advance({ advance_by: 3 * DAY_S });
  expect(await body("/balance")).toMatchObject({ collected: 0, settled: 990 });
});

test("a payout of which the bank said nothing is asked about, and one that comes back is reversed", async () => {
  const { make, body, advance, merchant } = await aShop();
  const start = await advance({ advance_by: 10 * DAY_S });
  await make("/sandbox/pay", { outcome: "paid", amount: 1_000 });
  await make("/sandbox/settle", {});
  const send = (digit: number) =>
    make("/transfers", {
      amount: 100,
      bank_code: "000",
      account_number: scripted(digit),
      reference: `payout-${digit}`,
    });
  const [silent, returned] = [await send(3), await send(5)];
  const ended = (reference: string | undefined) =>
    until(`${reference} ends`, async () => (await body(`/transfers/${reference}`)).status !== "pending");
  await ended(returned.reference);
  expect(await body(`/transfers/${returned.reference}`)).toMatchObject({
    status: "success",
    created_at: start,
    completed_at: start,
  });
  expect(await body(`/transfers/${silent.reference}`)).toMatchObject({ status: "pending" });
  await advance({ advance_by: 60 });
  expect(await body(`/transfers/${silent.reference}`)).toMatchObject({
    status: "success",
    completed_at: later(start, 1),
  });
  expect(await body(`/transfers/${returned.reference}`)).toMatchObject({
    status: "reversed",
    completed_at: later(start, 5),
  });
  const events = (await merchant.untilReceived("test", 4)).map(({ body }) => [body.event, body.created_at]);
  expect(events.slice(1)).toEqual([
    ["transfer.success", start],
    ["transfer.success", later(start, 1)],
    ["transfer.reversed", later(start, 5)],
  ]);
});
