import { getAmountLimit, openCryptoPayment, sessionChanged, setAmountLimit } from "@collect/contracts";
import { randomId, recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { aShop, CONFIG, createPayment, createSession, kobo, type Shop, useSessions } from "./sessions-world.ts";

const world = await useSessions();
const changed = await recordFacts(world.others, sessionChanged);

const sessionsOf = async (merchant: Shop) => {
  const { rows } = await world.owner.query<{ reference: string; account_number: string; amount: bigint }>(
    "select reference, account_number, amount from sessions where merchant_id = $1",
    [merchant.id],
  );
  return rows;
};

test("a session has the amount requested plus a kobo suffix, on the merchant's collection account", async () => {
  const merchant = aShop();
  const { payment, created } = await createSession(world, merchant, {
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
  const fact = await until("published", () => changed.all.find(({ reference }) => reference === payment.reference));
  expect(fact).toMatchObject({ version: 1, status: "pending", merchantName: "Ada Stores", openedBy: "secret_key" });
  expect(Date.parse(fact.watchUntil) - Date.parse(fact.expiresAt)).toBe(2 * 3_600_000);
});

test("200 concurrent sessions of one price have 200 distinct pairs of account and amount, and fill the accounts in order", async () => {
  const merchant = aShop();
  const payments = await Promise.all(Array.from({ length: 200 }, () => createPayment(world, merchant)));
  expect(new Set(payments.map(({ account_number, amount }) => `${account_number} ${amount}`)).size).toBe(200);
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
  const { reference } = await createPayment(world, merchant);
  await expect(
    world.owner.query(
      `insert into sessions select (jsonb_populate_record(s, '{"reference":"pay_other"}')).* from sessions s where reference = $1`,
      [reference],
    ),
  ).rejects.toThrow("sessions_held_slot_key");
});

test("an unused suffix is preferred to a released one, and among those the one released the longest ago", async () => {
  const merchant = aShop();
  const first = await Promise.all(Array.from({ length: 97 }, () => createPayment(world, merchant)));
  const [oldest] = first;
  for (const [index, { reference }] of first.entries())
    await world.owner.query(
      `update sessions set slot_held = false, created_at = created_at - interval '1 day',
         watch_until = created_at - interval '1 day' + $2 * interval '1 second' where reference = $1`,
      [reference, index + 1],
    );
  const used = new Set(first.map(({ amount }) => amount));
  const next = [await createPayment(world, merchant), await createPayment(world, merchant)];
  for (const { amount } of next) expect(used).not.toContain(amount);
  expect((await createPayment(world, merchant)).amount).toBe(oldest?.amount);
});

test("an amount stays unused for the pause after the watch window, even when its slot is already released", async () => {
  const merchant = aShop();
  const [former] = await Promise.all(Array.from({ length: 99 }, () => createPayment(world, merchant)));
  const endedAgo = (seconds: number) =>
    world.owner.query(
      `update sessions set slot_held = false, created_at = now() - interval '1 day', watch_until = now() - $2 * interval '1 second'
       where reference = $1`,
      [former?.reference, seconds],
    );
  await endedAgo(CONFIG.SLOT_PAUSE_S - 60);
  const meanwhile = await createPayment(world, merchant);
  expect(meanwhile.account_number).not.toBe(former?.account_number);
  await endedAgo(CONFIG.SLOT_PAUSE_S);
  const next = await createPayment(world, merchant);
  expect([next.account_number, next.amount]).toEqual([former?.account_number, former?.amount]);
});

test("100 concurrent calls with one reference create one session", async () => {
  const merchant = aShop();
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => createSession(world, merchant, { reference: "order-7" })),
  );
  expect(new Set(responses.map(({ payment }) => payment.reference)).size).toBe(1);
  expect(responses.filter(({ created }) => created)).toHaveLength(1);
  expect(await sessionsOf(merchant)).toHaveLength(1);
});

test("a known reference returns its session unchanged, whatever else is sent, even an amount above the limit", async () => {
  const merchant = aShop();
  const first = await createPayment(world, merchant, { reference: "order-8" });
  const again = await createSession(world, merchant, {
    reference: "order-8",
    amount: 1e15,
    description: "something else",
    customer_reference: randomId("cust"),
  });
  expect(again).toEqual({ payment: first, created: false });
  expect(world.accounts.requestedBy(merchant.id)).toEqual([1]);
});

test("references are scoped by merchant and mode", async () => {
  const merchant = aShop();
  const one = await createPayment(world, merchant, { reference: "order-9" });
  const others = [
    await createPayment(world, { ...merchant, mode: "live" }, { reference: "order-9" }),
    await createPayment(world, aShop(), { reference: "order-9" }),
    await createPayment(world, merchant, { reference: "Order-9" }),
  ];
  for (const other of others) expect(other.reference).not.toBe(one.reference);
});

test("an amount above the limit is refused and leaves nothing behind", async () => {
  const merchant = aShop();
  for (const amount of [5_000_000.01, 1e300])
    await expect(
      createSession(world, merchant, { amount, customer_reference: randomId("cust"), customer_name: "Ada Obi" }),
    ).rejects.toMatchObject({ code: "amount_over_limit", detail: "One payment may ask for at most ₦5,000,000.00." });
  expect(await sessionsOf(merchant)).toEqual([]);
  expect(world.accounts.requestedBy(merchant.id)).toEqual([]);
  expect((await createPayment(world, merchant, { amount: 5_000_000 })).amount_requested).toBe(5_000_000);
});

test("a merchant's own limit replaces the default, and leaves room for the suffix", async () => {
  const merchant = aShop();
  const limit = async () => (await world.others.request(getAmountLimit, { merchant_id: merchant.id })).amount;
  expect(await limit()).toBe(5_000_000);
  await world.others.request(setAmountLimit, { merchant_id: merchant.id, amount: 100 });
  expect(await limit()).toBe(100);
  await expect(createSession(world, merchant, { amount: 100.01 })).rejects.toMatchObject({ code: "amount_over_limit" });
  await createPayment(world, merchant, { amount: 100 });
  // The maximum of one payment, its suffix included, is never exceeded, whatever the limit.
  const set = await world.others.request(setAmountLimit, { merchant_id: merchant.id, amount: 9_999_999_999_999.99 });
  expect(set).toEqual({ merchant_id: merchant.id, amount: 9_999_999_999.01 });
  expect((await createPayment(world, merchant, { amount: 9_999_999_999.01 })).amount).toBeLessThanOrEqual(
    10_000_000_000,
  );
  const over = { code: "amount_over_limit" };
  await expect(createSession(world, merchant, { amount: 9_999_999_999.02 })).rejects.toMatchObject(over);
  await world.owner.query("update amount_limits set amount = 999999999999900 where merchant_id = $1", [merchant.id]);
  await expect(createSession(world, merchant, { amount: 9_999_999_999.02 })).rejects.toMatchObject(over);
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
])("the redirect_url %j is stored as %j", async (redirect_url, kept) => {
  expect((await createPayment(world, aShop(), { redirect_url })).redirect_url).toBe(kept);
});

test("an empty description is stored as null", async () => {
  expect((await createPayment(world, aShop(), { description: "" })).description).toBeNull();
});

test("the service cannot change what was quoted to a payer", async () => {
  const { reference } = await createPayment(world, aShop());
  const change = (what: string) => world.pool.query(`update sessions set ${what} where reference = $1`, [reference]);
  for (const what of ["amount = amount + 1", "account_number = '0000000017'"])
    await expect(change(what)).rejects.toThrow("was quoted already");
  for (const what of ["amount_requested = 1", "created_at = now()"])
    await expect(change(what)).rejects.toThrow("permission denied");
  await expect(world.pool.query("delete from sessions")).rejects.toThrow("permission denied");
});

test("USDT is refused until there is a partner for it", async () => {
  await expect(world.others.request(openCryptoPayment, { merchant: aShop(), amount: 1 })).rejects.toMatchObject({
    code: "crypto_unavailable",
  });
});
