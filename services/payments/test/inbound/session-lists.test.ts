import {
  browsePayments,
  collectionPosted,
  givePayerDetails,
  openPublicPayment,
  reportSent,
  SEARCHED_MAX,
  showPayment,
  sumPayments,
  type WireInput,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { readAllPages } from "../paging.ts";
import {
  aCollectionFor,
  aCustomer,
  ageSession,
  aShop,
  createPayment,
  rowOf,
  type Shop,
  useSessions,
} from "./sessions-world.ts";

const world = await useSessions();

type Given = Partial<Omit<WireInput<typeof browsePayments>, "merchant">>;
const browse = ({ id, mode }: Shop, given: Given = {}) =>
  world.others.request(browsePayments, { merchant: { id, mode }, ...given });
const listed = async (merchant: Shop, given: Given = {}) =>
  (await browse(merchant, given)).data.map(({ reference }) => reference);
const show = ({ id, mode }: Shop, reference: string) =>
  world.others.request(showPayment, { merchant: { id, mode }, reference });

test("sessions are listed newest first, without their collections and metadata", async () => {
  const merchant = aShop();
  const older = await createPayment(world, merchant, { reference: "order-1" });
  await ageSession(world, older.reference, 5);
  const newer = await createPayment(world, merchant, aCustomer());
  const { data, next } = await browse(merchant);
  expect(next).toBeNull();
  const { collections: _, collects: __, metadata: ___, ...shown } = newer;
  expect(data[0]).toEqual(shown);
  expect(data.map(({ reference }) => reference)).toEqual([newer.reference, older.reference]);
});

test("status, customer, time span and search filter the list, alone and combined", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const paid = await createPayment(world, merchant, { ...customer, reference: "order-1" });
  const waiting = await createPayment(world, merchant, customer);
  const publicPayment = await world.others.request(openPublicPayment, { merchant, amount: 10, reference: "order-1" });
  await world.others.publish(collectionPosted, [aCollectionFor(paid, merchant)]);
  await until("paid", async () => (await rowOf(world, paid.reference)).status === "paid");
  await ageSession(world, paid.reference, 60);
  const { customer_reference } = customer;
  expect(await listed(merchant, { status: "paid" })).toEqual([paid.reference]);
  expect(await listed(merchant, { customer_reference })).toEqual([waiting.reference, paid.reference]);
  expect(await listed(merchant, { customer_reference, status: "pending" })).toEqual([waiting.reference]);
  expect(await listed(merchant, { search: "order-1" })).toEqual([publicPayment.session.reference, paid.reference]);
  expect(await listed(merchant, { search: "order-1", status: "paid" })).toEqual([paid.reference]);
  expect(await listed(merchant, { search: waiting.reference })).toEqual([waiting.reference]);
  expect(await listed(merchant, { search: "ord" })).toEqual([publicPayment.session.reference, paid.reference]);
  for (const search of ["rder-1", "ORDER-1", "%"]) expect(await listed(merchant, { search })).toEqual([]);
  expect(await listed(merchant, { before: waiting.created_at })).toEqual([paid.reference]);
  expect(await listed(merchant, { from: waiting.created_at })).not.toContain(paid.reference);
  expect(await listed(merchant, { payment_link: "1111111111" })).toEqual([]);
});

test("sessions are found by what the search finds, narrowed by amounts and selected, and summed alike", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const rent = await createPayment(world, merchant, { ...customer, amount: 2500, metadata: { unit: "flat-7" } });
  await ageSession(world, rent.reference, 9);
  const fee = await createPayment(world, merchant, { amount: 400 });
  await world.others.request(givePayerDetails, { reference: fee.reference, name: "Ada Obi", email: "ada@example.com" });
  const [both, older, newer] = [[fee.reference, rent.reference], [rent.reference], [fee.reference]];
  const { customer_reference } = customer;
  for (const search of ["2500", String(rent.amount), customer_reference, "flat-7", rent.reference.slice(0, 9)])
    expect(await listed(merchant, { search }), search).toEqual(older);
  for (const search of ["ada", "ADA@example", "400"]) expect(await listed(merchant, { search }), search).toEqual(newer);
  expect(await listed(merchant, { search: "ada", status: "paid" })).toEqual([]);
  expect(await listed(merchant, { amount_from: "2500" })).toEqual(older);
  expect(await listed(merchant, { amount_to: "2499.99" })).toEqual(newer);
  expect(await listed(merchant, { references: `${both.join()},pay_other` })).toEqual(both);
  expect(await listed(merchant, { references: both.join(), search: "ada" })).toEqual(newer);
  const sum = async (given: Omit<Given, "limit" | "after">, { id, mode }: Shop = merchant) =>
    (await world.others.request(sumPayments, { merchant: { id, mode }, ...given })).totals;
  const kobo = (naira: number) => Math.round(naira * 100);
  const totals = await sum({});
  expect([totals?.count, kobo(totals?.amount ?? 0)]).toEqual([2, kobo(rent.amount) + kobo(fee.amount)]);
  expect(await sum({ search: "ada" })).toEqual({ count: 1, amount: fee.amount, amount_received: 0 });
  for (const other of [aShop(), { ...merchant, mode: "live" as const }])
    expect(await sum({}, other)).toEqual({ count: 0, amount: 0, amount_received: 0 });
});

test("a list shows a part of what a common text finds, and says that there are more", async () => {
  const merchant = aShop();
  const { reference } = await createPayment(world, merchant, { reference: "many" });
  await world.owner.query(
    `insert into sessions select (jsonb_populate_record(s, jsonb_build_object('reference', reference || n, 'slot_held', false,
       'merchant_reference', 'many-' || n))).* from sessions s, generate_series(1, $2::integer) n where reference = $1`,
    [reference, SEARCHED_MAX],
  );
  const page = (after?: string) => browse(merchant, { search: "many", limit: 200, after });
  expect((await page()).is_partial).toBe(true);
  expect(await readAllPages(page)).toHaveLength(SEARCHED_MAX);
  expect((await browse(merchant, { search: "many-7" })).is_partial).toBe(false);
});

test.each([
  ["an amount in words", { amount_from: "ten" }, "amount_from"],
  ["an unknown status", { status: "lost" }, "status"],
  ["an empty reference", { references: "pay_1," }, "references"],
])("%s is refused", async (_what, given, param) => {
  const errors = [{ param: expect.stringContaining(param) }];
  await expect(browse(aShop(), Object(given))).rejects.toMatchObject({ code: "validation_failed", errors });
});

test("paging returns each session once, even while others are created and many have the same time", async () => {
  const merchant = aShop();
  const { reference } = await createPayment(world, merchant);
  await ageSession(world, reference, 5);
  await world.owner.query(
    `insert into sessions select (jsonb_populate_record(s, jsonb_build_object('reference', reference || n, 'slot_held', false,
       'status', (array['pending', 'expired', 'pending'])[n % 3 + 1],
       'created_at', s.created_at - n / 10 * interval '1 second'))).* from sessions s, generate_series(1, 60) n where reference = $1`,
    [reference],
  );
  const found = await readAllPages(
    (after) => browse(merchant, { limit: 7, after }),
    () => createPayment(world, merchant),
  );
  expect(found.filter((one) => one.reference.startsWith(reference))).toHaveLength(61);
  expect(new Set(found.map((one) => one.reference)).size).toBe(found.length);
});

test("a session is returned with its collections, its payer and its watch window", async () => {
  const merchant = aShop();
  const { reference } = await createPayment(world, merchant);
  expect(await show(merchant, reference)).toMatchObject({ payer: null, sent_at: null });
  const ada = { name: "Ada Obi", email: "ada@example.com" };
  await world.others.request(givePayerDetails, { reference, ...ada });
  const sent = await world.others.request(reportSent, { reference });
  const { payment, payer, sent_at, watch_until } = await show(merchant, reference);
  expect(payment).toMatchObject({ reference, status: "processing", collections: [], payment_link: null });
  expect(payer).toEqual(ada);
  expect(Date.parse(sent_at ?? "")).toBeGreaterThanOrEqual(Date.parse(payment.created_at));
  expect(watch_until).toBe(sent.watchUntil);
});

test("a session is visible only to its merchant, in its mode, by its reference", async () => {
  const merchant = aShop();
  const { reference } = await createPayment(world, merchant, { reference: "order-1" });
  for (const other of [aShop(), { ...merchant, mode: "live" as const }]) {
    for (const given of [{}, { search: reference }, { search: "order-1" }])
      expect(await browse(other, given)).toMatchObject({ data: [], next: null });
    await expect(show(other, reference)).rejects.toMatchObject({ code: "not_found" });
  }
  for (const unknown of ["pay_unknown", "\u0000", ""])
    await expect(show(merchant, unknown)).rejects.toMatchObject({ code: "not_found" });
});
