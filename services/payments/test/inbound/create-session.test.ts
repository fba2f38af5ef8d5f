import { openCryptoPayment, sessionChanged, setAmountLimit } from "@collect/contracts";
import { type FactLog, recordFacts, someId, until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aShop,
  CONFIG,
  kobo,
  open,
  openOne,
  openSessionsWorld,
  type SessionsWorld,
  type Shop,
} from "./sessions-world.ts";

let world: SessionsWorld;
let changed: FactLog<typeof sessionChanged>;

beforeAll(async () => {
  world = await openSessionsWorld();
  changed = await recordFacts(world.others, sessionChanged);
});

afterAll(() => world.stop());

const sessionsOf = async (merchant: Shop) => {
  const { rows } = await world.owner.query<{ reference: string; account_number: string; amount: bigint }>(
    "select reference, account_number, amount from sessions where merchant_id = $1",
    [merchant.id],
  );
  return rows;
};

test("a session asks for the amount requested and a kobo suffix, on the merchant's collection account", async () => {
  const merchant = aShop();
  const { payment, created } = await open(world, merchant, {
    reference: "order-1",
    description: "Two lamps",
    redirect_url: "https://shop.example/thanks?order=1",
  });
  expect(created).toBe(true);
  expect(payment).toMatchObject({
    merchant_reference: "order-1",
    status: "pending",
    amount_requested: 2_500,
    amount_received: 0,
    currency: "NGN",
    account_name: "Ada Stores",
    bank_name: "Test Bank",
    checkout_url: `https://pay.example/pay/${payment.reference}`,
    collects: ["bank_transfer"],
    customer_reference: null,
    customer_name: null,
    description: "Two lamps",
    redirect_url: "https://shop.example/thanks?order=1",
    collections: [],
    details_required: true,
    opened_by: "secret_key",
    paid_at: null,
    mode: "test",
  });
  expect(payment.reference).toMatch(/^pay_[1-9A-HJ-NP-Za-km-z]{22}$/);
  const suffix = kobo(payment.amount) - 250_000n;
  expect(suffix).toBeGreaterThanOrEqual(1n);
  expect(suffix).toBeLessThanOrEqual(99n);
  expect(Date.parse(payment.expires_at) - Date.parse(payment.created_at)).toBe(30 * 60_000);
  const fact = await until("it is told", () => changed.all.find(({ reference }) => reference === payment.reference));
  expect(fact).toMatchObject({ version: 1, status: "pending", merchantName: "Ada Stores", openedBy: "secret_key" });
  expect(Date.parse(fact.watchUntil) - Date.parse(fact.expiresAt)).toBe(2 * 3_600_000);
});

test("200 sessions of one price at once have 200 pairs of account and amount, and fill the first accounts first", async () => {
  const merchant = aShop();
  const opened = await Promise.all(Array.from({ length: 200 }, () => openOne(world, merchant)));
  expect(new Set(opened.map(({ account_number, amount }) => `${account_number} ${amount}`)).size).toBe(200);
  const { rows } = await world.owner.query<{ position: number; sessions: bigint }>(
    `select a.position, count(s.reference) as sessions from collection_accounts a
     left join sessions s using (merchant_id, mode, account_number) where a.merchant_id = $1 group by 1 order by 1`,
    [merchant.id],
  );
  expect(rows).toEqual([
    { position: 1, sessions: 99n },
    { position: 2, sessions: 99n },
    { position: 3, sessions: 2n },
  ]);
});

test("one slot is one session: the database refuses a second", async () => {
  const merchant = aShop();
  const { reference } = await openOne(world, merchant);
  await expect(
    world.owner.query(
      `insert into sessions select (jsonb_populate_record(s, '{"reference":"pay_other"}')).* from sessions s where reference = $1`,
      [reference],
    ),
  ).rejects.toThrow("sessions_slot_key");
});

test("a suffix that nobody had comes before one that was given up, and then the one closed for the longest", async () => {
  const merchant = aShop();
  const first = await Promise.all(Array.from({ length: 97 }, () => openOne(world, merchant)));
  const [oldest] = first;
  for (const [index, { reference }] of first.entries())
    await world.owner.query(
      `update sessions set slot_held = false, created_at = created_at - interval '1 day',
         watch_until = created_at - interval '1 day' + $2 * interval '1 second' where reference = $1`,
      [reference, index + 1],
    );
  const used = new Set(first.map(({ amount }) => amount));
  const next = [await openOne(world, merchant), await openOne(world, merchant)];
  for (const { amount } of next) expect(used).not.toContain(amount);
  expect((await openOne(world, merchant)).amount).toBe(oldest?.amount);
});

test("an amount rests for the pause after its session is watched no more, whoever gave the slot up", async () => {
  const merchant = aShop();
  const [former] = await Promise.all(Array.from({ length: 99 }, () => openOne(world, merchant)));
  const endedAgo = (seconds: number) =>
    world.owner.query(
      `update sessions set slot_held = false, created_at = now() - interval '1 day', watch_until = now() - $2 * interval '1 second'
       where reference = $1`,
      [former?.reference, seconds],
    );
  await endedAgo(CONFIG.SLOT_PAUSE_S - 60);
  const meanwhile = await openOne(world, merchant);
  expect(meanwhile.account_number).not.toBe(former?.account_number);
  await endedAgo(CONFIG.SLOT_PAUSE_S);
  const next = await openOne(world, merchant);
  expect([next.account_number, next.amount]).toEqual([former?.account_number, former?.amount]);
});

test("100 calls with one reference open one session", async () => {
  const merchant = aShop();
  const answers = await Promise.all(Array.from({ length: 100 }, () => open(world, merchant, { reference: "order-7" })));
  expect(new Set(answers.map(({ payment }) => payment.reference)).size).toBe(1);
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(await sessionsOf(merchant)).toHaveLength(1);
});

test("a known reference gives its session as it is, whatever else is sent, above the limit too", async () => {
  const merchant = aShop();
  const first = await openOne(world, merchant, { reference: "order-8" });
  const again = await open(world, merchant, {
    reference: "order-8",
    amount: 1e15,
    description: "something else",
    customer_reference: someId("cust"),
  });
  expect(again).toEqual({ payment: first, created: false });
  expect(world.accounts.askedFor(merchant.id)).toEqual([1]);
});

test("references are a merchant's and a mode's own", async () => {
  const merchant = aShop();
  const one = await openOne(world, merchant, { reference: "order-9" });
  const others = [
    await openOne(world, { ...merchant, mode: "live" }, { reference: "order-9" }),
    await openOne(world, aShop(), { reference: "order-9" }),
    await openOne(world, merchant, { reference: "Order-9" }),
  ];
  for (const other of others) expect(other.reference).not.toBe(one.reference);
});

test("an amount above the limit is refused and leaves nothing anywhere", async () => {
  const merchant = aShop();
  for (const amount of [5_000_000.01, 1e300])
    await expect(
      open(world, merchant, { amount, customer_reference: someId("cust"), customer_name: "Ada Obi" }),
    ).rejects.toMatchObject({ code: "amount_over_limit", detail: "One payment may ask for at most ₦5,000,000.00." });
  expect(await sessionsOf(merchant)).toEqual([]);
  expect(world.accounts.askedFor(merchant.id)).toEqual([]);
  expect((await openOne(world, merchant, { amount: 5_000_000 })).amount_requested).toBe(5_000_000);
});

test("a merchant's own limit replaces the usual one, and leaves room for the suffix", async () => {
  const merchant = aShop();
  await world.others.request(setAmountLimit, { merchant_id: merchant.id, amount: 100 });
  await expect(open(world, merchant, { amount: 100.01 })).rejects.toMatchObject({ code: "amount_over_limit" });
  await openOne(world, merchant, { amount: 100 });
  // What one payment can bring, its suffix included, is never exceeded, whatever the limit.
  const set = await world.others.request(setAmountLimit, { merchant_id: merchant.id, amount: 9_999_999_999_999.99 });
  expect(set).toEqual({ merchant_id: merchant.id, amount: 9_999_999_999.01 });
  expect((await openOne(world, merchant, { amount: 9_999_999_999.01 })).amount).toBeLessThanOrEqual(10_000_000_000);
  const over = { code: "amount_over_limit" };
  await expect(open(world, merchant, { amount: 9_999_999_999.02 })).rejects.toMatchObject(over);
  await world.owner.query("update amount_limits set amount = 999999999999900 where merchant_id = $1", [merchant.id]);
  await expect(open(world, merchant, { amount: 9_999_999_999.02 })).rejects.toMatchObject(over);
});

test.each([
  ["https://shop.example/a?b=1#c", "https://shop.example/a?b=1#c"],
  ["HTTPS://shop.example", "HTTPS://shop.example"],
  ["http://shop.example", null],
  ["javascript:alert(1)", null],
  ["//shop.example", null],
  ["shop.example", null],
  [" https://shop.example", null],
  ["https:/shop.example", null],
  ["https://shop.example/\u0000", null],
  ["", null],
])("of the redirect_url %j is kept: %j", async (redirect_url, kept) => {
  expect((await openOne(world, aShop(), { redirect_url })).redirect_url).toBe(kept);
});

test("an empty description is none", async () => {
  expect((await openOne(world, aShop(), { description: "" })).description).toBeNull();
});

test("what was quoted to a payer cannot be changed by the service", async () => {
  const { reference } = await openOne(world, aShop());
  for (const change of ["amount = amount + 1", "account_number = '0000000017'", "created_at = now()"])
    await expect(world.pool.query(`update sessions set ${change} where reference = $1`, [reference])).rejects.toThrow(
      "permission denied",
    );
  await expect(world.pool.query("delete from sessions")).rejects.toThrow("permission denied");
});

test("USDT is refused until there is a partner for it", async () => {
  await expect(world.others.request(openCryptoPayment, { merchant: aShop(), amount: 1 })).rejects.toMatchObject({
    code: "crypto_unavailable",
  });
});
