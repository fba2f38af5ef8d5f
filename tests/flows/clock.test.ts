import { nuban } from "@collect/bank";
import { EventList } from "@collect/contracts";
import { type Received, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";

const stack = await startStack();
afterAll(() => stack.stop());

/** Merchants whose servers are down. */
const down = new Set<string>();
stack.receiver.behave((response, { path }) => {
  response.statusCode = down.has(path.split("/")[2] ?? "") ? 503 : 200;
  response.end();
});

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const CUSTOMER = { customer_reference: "cust_42", customer_name: "Ada Obi" };
/** The midnight in Lagos after the next. */
const MIDNIGHT = new Date(Math.ceil(Date.now() / (DAY_S * 1_000) + 1) * DAY_S * 1_000 - HOUR_S * 1_000).toISOString();
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
  const events = (await merchant.untilReceived("test", 4)).map(({ body }) => [body.event, body.created_at]);
  expect(events.slice(1)).toEqual([
    ["transfer.success", start],
    ["transfer.success", later(start, 1)],
    ["transfer.reversed", later(start, 5)],
  ]);
});

test("a webhook that nobody acknowledges is retried by the test clock, and given up after three days", async () => {
  const { make, body, advance, merchant } = await aShop();
  down.add(merchant.id);
  await make("/sandbox/pay", { outcome: "paid", amount: 100 });
  const delivery = async () => EventList.parse(await body("/events")).data[0]?.delivery;
  await advance({ advance_by: 60 });
  expect(await delivery()).toMatchObject({ status: "pending", attempts: 3 });
  await advance({ advance_by: 5 * DAY_S });
  expect(await delivery()).toMatchObject({ status: "exhausted", attempts: 16 });
  expect(merchant.received("test")).toHaveLength(16);
});

/** Numbers that look random and are the same for the same seed: mulberry32. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Five payouts of the month, by what the test bank does: it says success, nothing at first, failure, and returns two. */
const SCRIPTS = [1, 5, 2, 3, 5];

/** A month of a shop, in calls of its server: customers pay or do not, suppliers are paid, and its server is down for five days. */
async function playMonth({ make, advance, merchant }: Awaited<ReturnType<typeof aShop>>, seed: number): Promise<void> {
  const below = seeded(seed);
  await advance({ advance_to: MIDNIGHT });
  await make("/customer_accounts", CUSTOMER);
  for (let day = 0; day < 30; day++) {
    if (day === 10) down.add(merchant.id);
    if (day === 15) down.delete(merchant.id);
    await make("/customer_accounts/cust_42/simulate_payment", { outcome: "paid", amount: 100 + below(900) });
    if (day % 2 === 0) await make("/payments", { amount: 50 + below(50), reference: `order-${day}`, ...CUSTOMER });
    const hours = 1 + below(12);
    await advance({ advance_by: hours * HOUR_S });
    const payout = { amount: 100 + below(100), bank_code: "000", reference: `payout-${day}` };
    if (day % 6 === 5) await make("/transfers", { ...payout, account_number: scripted(SCRIPTS[(day - 5) / 6] ?? 1) });
    await advance({ advance_by: DAY_S - hours * HOUR_S });
  }
  await advance({ advance_by: 10 * DAY_S });
}

const LISTS = ["events", "payments", "settlements", "transfers", "collections"];
/** Ids, and the kobo by which a session is recognized. */
const IDS = /\b(?:evt|pay|col|trf|stl)_\w+|\b\d{10}\b|(?<="amount":)\d+\.\d+(?=,"amount_requested")/g;

/** All that the shop can read of it, and the bodies that were delivered, in the order of their numbers. Ids are replaced by their order. */
async function readAll({ body, merchant }: Awaited<ReturnType<typeof aShop>>) {
  const lists: Record<string, unknown> = { balance: await body("/balance") };
  for (const list of LISTS) lists[list] = (await body(`/${list}?limit=100`)).data;
  const bySequence = (one: Received, other: Received) =>
    Number(one.headers["x-service-sequence"]) - Number(other.headers["x-service-sequence"]);
  const delivered = merchant.received("test").toSorted(bySequence);
  const ids = new Map<string, string>();
  const orderOf = (id: string) => ids.get(id) ?? `id ${ids.set(id, `id ${ids.size}`).size - 1}`;
  const withoutIds = (text: string) => text.replaceAll(IDS, orderOf);
  return {
    lists,
    read: withoutIds(JSON.stringify(lists)),
    delivered: delivered.map(({ raw }) => withoutIds(raw.toString())),
  };
}

test("a month plays in one go, and twice with one seed gives the same bytes but for ids", async () => {
  const [one, other] = [await aShop(), await aShop()];
  await playMonth(one, 7);
  const first = await readAll(one);
  const statuses = (list: string) => new Set((first.lists[list] as { status: string }[]).map(({ status }) => status));
  expect(statuses("payments")).toEqual(new Set(["expired"]));
  expect(statuses("transfers")).toEqual(new Set(["success", "reversed", "failed"]));
  expect((first.lists.settlements as unknown[]).length).toBe(30);
  expect(first.read).toContain('"status":"exhausted","attempts":16');
  await playMonth(other, 7);
  const second = await readAll(other);
  expect(second.read).toBe(first.read);
  expect(second.delivered).toEqual(first.delivered);
});
