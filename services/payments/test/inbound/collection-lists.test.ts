import {
  browseCollections,
  getCollection,
  readCollections,
  sumCollectionDays,
  type WireInput,
} from "@collect/contracts";
import { aMerchant } from "@collect/testing";
import { expect, test } from "vitest";
import { readAllPages } from "../paging.ts";
import {
  aCollectionFor,
  aCustomer,
  aShop,
  createPay,
  createPayment,
  type Shop,
  useSessions,
} from "./sessions-world.ts";

const world = await useSessions();
const pay = await createPay(world);

type Given = Partial<Omit<WireInput<typeof browseCollections>, "merchant">>;
const browse = ({ id, mode }: Shop, given: Given = {}) =>
  world.others.request(browseCollections, { merchant: { id, mode }, ...given });
const listed = async (merchant: Shop, given: Given = {}) =>
  (await browse(merchant, given)).data.map(({ reference }) => reference);
const sum = ({ id, mode }: Shop, from: string, to: string) =>
  world.others.request(sumCollectionDays, { merchant: { id, mode }, from, to });

/** A merchant with one collection on a customer's account and one for a session in the pool with an order reference. */
async function aPaidShop() {
  const merchant = aShop();
  const [onCustomers, onPool] = [
    await createPayment(world, merchant, aCustomer()),
    await createPayment(world, merchant, { reference: "order-1" }),
  ];
  // The sessions must be older than the payments.
  await world.owner.query("update sessions set created_at = '2026-11-21T09:00:00Z' where merchant_id = $1", [
    merchant.id,
  ]);
  const first = aCollectionFor(onCustomers, merchant, { paidAt: "2026-11-21T09:30:00.000+00:00" });
  const second = aCollectionFor(onPool, merchant, {
    paidAt: "2026-11-21T09:31:00.000+00:00",
    payer: { name: "Bola Ade", accountNumber: null, bankName: null },
  });
  await pay(first, second);
  return { merchant, onCustomers, onPool, first, second };
}

test("a collection is listed with its payer and its session, newest by the bank's time first", async () => {
  const { merchant, onCustomers, onPool, first } = await aPaidShop();
  const { data, next } = await browse(merchant);
  expect(next).toBeNull();
  expect(data).toMatchObject([
    {
      reference: onPool.reference,
      payment_reference: onPool.reference,
      merchant_reference: "order-1",
      customer_reference: null,
      payer: { name: "Bola Ade", account_number: null, bank_name: null },
    },
    {
      reference: onCustomers.reference,
      amount: onCustomers.amount,
      currency: "NGN",
      customer_reference: onCustomers.customer_reference,
      customer_name: "Ada Obi",
      account_number: onCustomers.account_number,
      payer: { name: "Chidi Eze", account_number: "0123456789", bank_name: "First Bank" },
      paid_at: first.paidAt,
      received_at: first.receivedAt,
      mode: "test",
    },
  ]);
});

test("a page is shown whatever is stored of the bank's report besides the session id", async () => {
  const { merchant, onCustomers, onPool, first } = await aPaidShop();
  await world.owner.query("update collections set source = '{\"unknown\": true}' where intake_id = $1", [
    first.intakeId,
  ]);
  expect(await listed(merchant)).toEqual([onPool.reference, onCustomers.reference]);
});

test("paging returns each row once, even while rows are added and many have the same time", async () => {
  const merchant = aShop();
  const { rows: payers } = await world.owner.query<{ id: bigint }>(
    "insert into payers (merchant_id, mode, bank_name, account_number, name) values ($1, 'test', '', '', 'Ada') returning id",
    [merchant.id],
  );
  const insert = (prefix: string, first: number, last: number) =>
    world.owner.query(
      `insert into collections (intake_id, reference, merchant_id, mode, account_number, payer_id, amount, fee, net, currency,
         paid_at, received_at, posted_at)
       select 'int_' || $2 || n || $1, $2 || n || $1, $1, 'test', '9000000001', $3, 100, 1, 99, 'NGN', at, at, at
       from generate_series($4::integer, $5) n, lateral (select timestamptz '2026-11-21' + n / 10 * interval '1 minute' as at)`,
      [merchant.id, prefix, payers[0]?.id, first, last],
    );
  await insert("known", 1, 137);
  let added = 0;
  const between = () => insert(`later${++added}-`, 1, 137 - added);
  const found = await readAllPages((after) => browse(merchant, { limit: 10, after }), between);
  const known = found.map(({ reference }) => reference).filter((reference) => reference.startsWith("known"));
  expect(known).toHaveLength(137);
  expect(new Set(found.map(({ reference }) => reference)).size).toBe(found.length);
  const times = found.map(({ paid_at }) => Date.parse(paid_at));
  expect(times).toEqual(times.toSorted((one, other) => other - one));
});

test("collections are found by each reference and by the account number, and by how ours and a session's begin", async () => {
  const { merchant, onCustomers, onPool } = await aPaidShop();
  for (const search of [onPool.reference, "order-1", onPool.account_number])
    expect(await listed(merchant, { search })).toEqual([onPool.reference]);
  for (const search of [onCustomers.reference, onCustomers.account_number, onCustomers.customer_reference ?? ""])
    expect(await listed(merchant, { search })).toEqual([onCustomers.reference]);
  for (const search of ["rder-1", "ORDER-1", "order-2", "%"]) expect(await listed(merchant, { search })).toEqual([]);
});

test("money that matches neither a session nor a customer is listed apart", async () => {
  const { merchant, onPool } = await aPaidShop();
  const account = { ...onPool, amount: onPool.amount + 1_000 };
  await pay(aCollectionFor(account, merchant, { paidAt: "2026-11-21T09:32:00.000+00:00" }));
  const [unmatched] = await listed(merchant);
  expect(await listed(merchant, { match: "none" })).toEqual([unmatched]);
  expect((await listed(merchant)).length).toBe(3);
  expect(await listed(merchant, { match: "none", search: onPool.reference })).toEqual([]);
});

test("filters combine with search, and a cursor does not override the end of the span", async () => {
  const { merchant, onCustomers, onPool } = await aPaidShop();
  const customer_reference = onCustomers.customer_reference ?? "";
  expect(await listed(merchant, { customer_reference })).toEqual([onCustomers.reference]);
  const bola = (await browse(merchant)).data[0]?.payer.id ?? "";
  expect(await listed(merchant, { payer_id: bola })).toEqual([onPool.reference]);
  expect(await listed(merchant, { payer_id: bola, customer_reference })).toEqual([]);
  expect(await listed(merchant, { payer_id: bola, search: onPool.reference })).toEqual([onPool.reference]);
  expect(await listed(merchant, { payer_id: bola, search: onCustomers.reference })).toEqual([]);
  expect(await listed(merchant, { from: "2026-11-21T10:31:00+01:00" })).toEqual([onPool.reference]);
  expect(await listed(merchant, { before: "2026-11-21T09:31:00+00:00" })).toEqual([onCustomers.reference]);
  const { next } = await browse(merchant, { limit: 1 });
  expect(await listed(merchant, { after: next ?? "", before: "2026-11-21T09:30:00+00:00" })).toEqual([]);
  expect(await listed(merchant, { from: "0000-01-01T00:00:00Z", before: "9999-12-31T23:59:59Z" })).toHaveLength(2);
  // Offsets and years that PostgreSQL does not accept.
  expect(await listed(merchant, { from: "2026-11-22T05:31:00+20:00" })).toEqual([onPool.reference]);
  expect(await listed(merchant, { before: "9999-12-31T23:00:00-05:00" })).toHaveLength(2);
  const cursorAt = (at: string) => Buffer.from(JSON.stringify([at, "int_"])).toString("base64url");
  expect(await listed(merchant, { after: cursorAt("2026-11-22T05:31:00+20:00") })).toEqual([onCustomers.reference]);
  expect(await listed(merchant, { after: cursorAt("9999-12-31T23:00:00-05:00") })).toHaveLength(2);
});

test("another merchant and the other mode see nothing, whichever key they use", async () => {
  const { merchant, onPool, first } = await aPaidShop();
  const payer_id = (await browse(merchant)).data[0]?.payer.id ?? "";
  for (const other of [aShop(), { ...merchant, mode: "live" as const }]) {
    const scope = { id: other.id, mode: other.mode };
    for (const given of [{}, { payer_id }, { search: onPool.reference }, { search: "order-1" }])
      expect(await browse(other, given)).toMatchObject({ data: [], next: null });
    await expect(
      world.others.request(getCollection, { merchant: scope, reference: onPool.reference }),
    ).rejects.toMatchObject({ code: "not_found" });
    const read = await world.others.request(readCollections, { merchant: scope, intake_ids: [first.intakeId] });
    expect(read).toEqual({ collections: [] });
    expect(await sum(other, "2026-11-21", "2026-11-21")).toEqual({ days: [] });
  }
});

test("a collection is returned with its intake id, and an unknown reference is not found", async () => {
  const { merchant, onPool, second } = await aPaidShop();
  const get = (reference: string) => world.others.request(getCollection, { merchant, reference });
  const [listedOne] = (await browse(merchant)).data;
  expect(await get(onPool.reference)).toEqual({
    collection: { ...listedOne, metadata: {} },
    intake_id: second.intakeId,
    posted_at: second.postedAt,
    attached_by: null,
  });
  for (const reference of ["col_unknown", "", "\u0000"])
    await expect(get(reference)).rejects.toMatchObject({ code: "not_found" });
});

test("collections are read by their intake ids, and unknown ones are left out", async () => {
  const { merchant, onCustomers, onPool, first, second } = await aPaidShop();
  const intake_ids = [first.intakeId, second.intakeId, "int_unknown"];
  const { collections } = await world.others.request(readCollections, { merchant, intake_ids });
  expect(new Map(collections.map(({ intake_id, reference }) => [intake_id, reference]))).toEqual(
    new Map([
      [first.intakeId, onCustomers.reference],
      [second.intakeId, onPool.reference],
    ]),
  );
});

test("days are days in Lagos: the next begins an hour before midnight UTC", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  const paid = (paidAt: string, amount: bigint) =>
    aCollectionFor(session, merchant, { paidAt, amount, receivedAt: paidAt });
  await pay(
    paid("2026-11-20T22:59:59.999+00:00", 10_000n),
    paid("2026-11-20T23:00:00.000+00:00", 20_000n),
    paid("2026-11-21T22:59:59.999+00:00", 40_000n),
    paid("2026-11-21T23:00:00.000+00:00", 80_000n),
  );
  expect(await sum(merchant, "2026-11-19", "2026-11-22")).toEqual({
    days: [
      { day: "2026-11-20", count: 1, amount: 100, fee: 1, net: 99 },
      { day: "2026-11-21", count: 2, amount: 600, fee: 6, net: 594 },
      { day: "2026-11-22", count: 1, amount: 800, fee: 8, net: 792 },
    ],
  });
  expect((await sum(merchant, "2026-11-21", "2026-11-21")).days).toHaveLength(1);
});

test.each([
  ["more than 92 days", "2026-08-21", "2026-11-21", "to"],
  ["a span that runs backwards", "2026-11-22", "2026-11-21", "to"],
  ["days before 1970", "0000-01-01", "0000-01-02", "from"],
])("%s are not summed", async (_what, from, to, param) => {
  const result = sum(aShop(), from, to);
  await expect(result).rejects.toMatchObject({ code: "validation_failed", errors: [{ param }] });
});

test("92 days are summed", async () => {
  expect(await sum(aShop(), "2026-08-22", "2026-11-21")).toEqual({ days: [] });
});

test("a cursor of another list, or a forged one, is refused", async () => {
  const cursors = [["x", "y"], ["1"], { not: "a cursor" }].map((content) =>
    Buffer.from(JSON.stringify(content)).toString("base64url"),
  );
  for (const after of cursors)
    await expect(browse({ ...aMerchant(), name: "Ada Stores" }, { after })).rejects.toMatchObject({
      code: "validation_failed",
      errors: [{ param: "after" }],
    });
});
