import { EventList } from "@collect/contracts";
import { createPool } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { audited } from "../faults/audited.ts";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { inOrder } from "../stack/merchant.ts";
import { sharedStack } from "../stack/shared.ts";
import { DAY_S, HOUR_S, later, playMonth, readAll, scripted, shops } from "./month.ts";

const stack = await sharedStack();

const aShop = shops(stack);
const SILENT = createLogger("tests", "silent");
/** The midnight in Lagos after the next. */
const MIDNIGHT = new Date(Math.ceil(Date.now() / (DAY_S * 1_000) + 1) * DAY_S * 1_000 - HOUR_S * 1_000).toISOString();
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
  const midnight = await advance({ advance_to: MIDNIGHT });
  await make("/sandbox/pay", { outcome: "paid", amount: 100 });
  expect(await body("/balance")).toMatchObject({ collected: 99, settled: 0, as_of: midnight });
  await advance({ advance_to: later(midnight, DAY_S + 6 * HOUR_S - 1) });
  expect(await body("/balance")).toMatchObject({ collected: 99, settled: 0 });
  await advance({ advance_by: 1 });
  expect(await body("/balance")).toMatchObject({ collected: 0, settled: 99 });
  expect((await body("/settlements")).data).toMatchObject([
    { amount: 99, cut_off: later(midnight, DAY_S), created_at: later(midnight, DAY_S + 6 * HOUR_S) },
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
  const [, ...ofPayouts] = inOrder(await merchant.untilReceived("test", 4));
  expect(ofPayouts.map(({ body }) => [body.event, body.created_at])).toEqual([
    ["transfer.success", start],
    ["transfer.success", later(start, 1)],
    ["transfer.reversed", later(start, 5)],
  ]);
});

test("a webhook that nobody acknowledges is retried by the test clock, and given up after three days", async () => {
  const { make, body, advance, merchant, down } = await aShop();
  down(true);
  await make("/sandbox/pay", { outcome: "paid", amount: 100 });
  const delivery = async () => EventList.parse(await body("/events")).data[0]?.delivery;
  await advance({ advance_by: 60 });
  expect(await delivery()).toMatchObject({ status: "pending", attempts: 3 });
  await advance({ advance_by: 5 * DAY_S });
  expect(await delivery()).toMatchObject({ status: "exhausted", attempts: 16 });
  expect(merchant.received("test")).toHaveLength(16);
});

test("the clock goes forward only, at most 400 days ahead, and stands still meanwhile", async () => {
  const { body, clock, advance } = await aShop();
  expect(await body("/sandbox/clock")).toMatchObject({ ahead_by: 0, mode: "test" });
  const now = await advance({ advance_by: DAY_S });
  expect(await advance({ advance_to: now })).toBe(now);
  expect(await body("/sandbox/clock")).toMatchObject({ now, ahead_by: expect.closeTo(DAY_S, -3) });
  const refused = (params: string[]) => refusal("validation_failed", { mode: "test", params });
  expect(refusalIn(await clock({ advance_to: later(now, -1) }))).toEqual(refused(["advance_to"]));
  expect(refusalIn(await clock({ advance_by: 399.5 * DAY_S }))).toEqual(refused(["advance_by"]));
  for (const order of [{}, { advance_by: 1, advance_to: now }])
    expect(refusalIn(await clock(order))).toEqual(refused(["advance_by", "advance_to"]));
  expect((await body("/sandbox/clock")).now).toBe(now);
});

test("a merchant's clock is not another's, and only one call at a time advances it", async () => {
  const [one, other] = [await aShop(), await aShop()];
  const calls = await Promise.all(Array.from({ length: 4 }, () => one.clock({ advance_by: 60 * DAY_S })));
  const advanced = calls.filter(({ status }) => status === 200);
  const refusals = calls.filter(({ status }) => status !== 200).map(refusalIn);
  expect(refusals).toEqual(refusals.map(() => refusal("test_clock_advancing", { mode: "test" })));
  const { ahead_by } = await one.body("/sandbox/clock");
  expect(Math.round(Number(ahead_by) / DAY_S)).toBe(60 * advanced.length);
  expect(await other.body("/sandbox/clock")).toMatchObject({ ahead_by: 0 });
});

test.each(["accounts", "ledger", "payments", "webhooks"] as const)(
  "live mode has no clock: neither a key nor the database login of %s can move it",
  async (service) => {
    const { merchant, advance } = await aShop();
    const live = client(stack.baseUrl, merchant.keys.sk_live);
    for (const call of [live.post("/sandbox/clock", { advance_by: 1 }), live.get("/sandbox/clock")])
      expect(refusalIn(await call)).toEqual(refusal("test_key_required", { mode: "live" }));
    await advance({ advance_by: DAY_S });

    const login = createPool({ url: stack.databaseUrl(service), service: "tests", log: SILENT, max: 1 });
    const refusedBy = (sql: string) =>
      login.query(sql).then(
        () => "done",
        ({ code }) => code,
      );
    const ahead = `select time_of('${merchant.id}', 'test') > now() + interval '1 hour' as test,
      time_of('${merchant.id}', 'live') > now() + interval '1 minute' as live`;
    const [CHECK, PRIVILEGE] = ["23514", "42501"];
    try {
      const set = "insert into test_clocks (merchant_id, mode, at) values";
      expect(await refusedBy(`${set} ('mer_1', 'live', now())`)).toBe(CHECK);
      expect(await refusedBy(`${set} ('mer_1', 'test', now() + interval '402 days')`)).toBe(CHECK);
      expect(await refusedBy("update test_clocks set at = at - interval '1 second'")).toBe(CHECK);
      expect(await refusedBy("update test_clocks set mode = 'live'")).toBe(PRIVILEGE);
      expect(await refusedBy("delete from test_clocks")).toBe(PRIVILEGE);
      expect(await refusedBy("alter table test_clocks drop constraint test_clocks_mode_check")).toBe(PRIVILEGE);
      expect(
        await refusedBy(
          "create or replace function time_of(merchant text, in_mode text) returns timestamptz language sql as 'select now()'",
        ),
      ).toBe(PRIVILEGE);
      expect((await login.query(ahead)).rows).toEqual([{ test: true, live: false }]);
    } finally {
      await login.end();
    }
  },
);

test("a session of live mode ends by real time, however far the test clock is ahead", async () => {
  const { merchant, advance } = await aShop();
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  const { body: session } = await live.post("/payments", { amount: 500 });
  await advance({ advance_by: 300 * DAY_S });
  expect((await live.get(`/payments/${session.reference}`)).body).toMatchObject({ status: "pending" });
  const { body: after } = await live.post("/payments", { amount: 500 });
  expect(Date.parse(String(after.created_at)) - Date.parse(String(session.created_at))).toBeLessThan(HOUR_S * 1_000);
});

test("a month plays in one go, and twice with one seed gives the same bytes but for ids", async () => {
  const [one, other] = [await aShop(), await aShop()];
  await playMonth(one, { seed: 7, from: MIDNIGHT });
  const first = await readAll(one);
  const statuses = (list: string) => new Set((first.lists[list] as { status: string }[]).map(({ status }) => status));
  expect(statuses("payments")).toEqual(new Set(["expired"]));
  expect(statuses("transfers")).toEqual(new Set(["success", "reversed", "failed"]));
  expect((first.lists.settlements as unknown[]).length).toBe(27);
  expect(first.read).toContain('"status":"exhausted","attempts":16');
  await playMonth(other, { seed: 7, from: MIDNIGHT });
  const second = await readAll(other);
  expect(second.read).toBe(first.read);
  expect(second.delivered).toEqual(first.delivered);
});

test("an advance that dies is continued by the next call", async () => {
  const { make, body, clock, advance, down } = await aShop();
  down(true);
  await make("/sandbox/pay", { outcome: "paid", amount: 100 });
  const { now } = await body("/sandbox/clock");
  const target = later(now, 5 * DAY_S);
  // It gets no response; the bus waits for one longer than this test.
  clock({ advance_to: target }).catch(() => undefined);
  await until("it has begun", async () => Number((await body("/sandbox/clock")).ahead_by) > 0);
  await stack.service("accounts").replicas[0]?.kill9();
  await stack.service("accounts").restart();
  // Its claim ends by itself after a while.
  await stack.database("accounts").query("update test_clocks set advanced_until = '-infinity'");
  expect(await advance({ advance_to: target })).toBe(target);
  expect(EventList.parse(await body("/events")).data).toMatchObject([
    { delivery: { status: "exhausted", attempts: 16 } },
  ]);
  expect(await body("/balance")).toMatchObject({ collected: 0, settled: 99 });
});

test.each(["accounts", "ledger"] as const)(
  "a clock that %s has lost is set again by the next advance",
  async (service) => {
    const { merchant, body, advance } = await aShop();
    const now = await advance({ advance_by: 30 * DAY_S });
    await stack.database(service).query("delete from test_clocks where merchant_id = $1", [merchant.id]);
    expect(Date.parse(await advance({ advance_by: 60 }))).toBeGreaterThanOrEqual(Date.parse(now));
    const { as_of } = await body("/balance");
    expect((await body("/sandbox/clock")).now).toBe(as_of);
  },
);

test("the audits of all services go on, and find nothing wrong with what was made by test clocks", async () => {
  await audited(stack).untilNothingReported("");
});
