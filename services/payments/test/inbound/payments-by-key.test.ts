import {
  cancelPayment,
  findOpenedPayment,
  getPayment,
  listCollections,
  listPayments,
  listTransfers,
  openPublicPayment,
  reportSent,
  type WireInput,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import {
  aCollectionFor,
  aCustomer,
  ageSession,
  aShop,
  createPay,
  createPayment,
  rowOf,
  type Shop,
  useSessions,
} from "./sessions-world.ts";

const world = await useSessions();
const pay = await createPay(world);

type Given = Partial<Omit<WireInput<typeof listPayments>, "merchant">>;
const list = (merchant: Shop, given: Given = {}) => world.others.request(listPayments, { merchant, ...given });
const references = async (merchant: Shop, given: Given = {}) =>
  (await list(merchant, given)).data.map(({ reference }) => reference);
const read = (merchant: Shop, reference: string) => world.others.request(getPayment, { merchant, reference });
const cancel = (merchant: Shop, reference: string) => world.others.request(cancelPayment, { merchant, reference });

/** Three sessions, a minute apart; the oldest is paid. */
async function aShopWithPayments() {
  const merchant = aShop();
  const customer = aCustomer();
  const oldest = await createPayment(world, merchant, { ...customer, reference: "order-1" });
  await ageSession(world, oldest.reference, 120);
  const second = await createPayment(world, merchant, { reference: "order-2" });
  await ageSession(world, second.reference, 60);
  const newest = await createPayment(world, merchant, { reference: "order-3" });
  await pay(aCollectionFor(oldest, merchant));
  return { merchant, customer, oldest: oldest.reference, second: second.reference, newest: newest.reference };
}

test("sessions are listed newest first, page by page, as each is read alone, and each filter selects", async () => {
  const { merchant, customer, oldest, second, newest } = await aShopWithPayments();
  const page = await list(merchant, { limit: 2 });
  expect(page).toMatchObject({ limit: 2, has_more: true, mode: "test" });
  expect(page.data).toEqual([await read(merchant, newest), await read(merchant, second)]);
  const last = await list(merchant, { limit: 2, after: page.next ?? "" });
  expect(last).toMatchObject({
    has_more: false,
    next: null,
    data: [{ status: "paid", collections: [{ reference: oldest }] }],
  });
  expect(last.data).toEqual([await read(merchant, oldest)]);

  expect(await references(merchant, { status: "paid" })).toEqual([oldest]);
  expect(await references(merchant, { status: "pending" })).toEqual([newest, second]);
  expect(await references(merchant, { customer_reference: customer.customer_reference })).toEqual([oldest]);
  expect(await references(merchant, { merchant_reference: "order-2" })).toEqual([second]);
  expect(await references(merchant, { merchant_reference: "order-2", status: "paid" })).toEqual([]);
  const { created_at } = await read(merchant, second);
  expect(await references(merchant, { created_from: created_at })).toEqual([newest, second]);
  expect(await references(merchant, { created_to: created_at })).toEqual([oldest]);
});

test("the cursor of another list, mode or merchant is refused by name, because rows would be skipped", async () => {
  const { merchant } = await aShopWithPayments();
  const after = (await list(merchant, { limit: 1 })).next ?? "";
  const foreign = { code: "validation_failed", errors: [{ param: "after", code: "invalid" }] };
  for (const other of [aShop(), { ...merchant, mode: "live" as const }])
    await expect(list(other, { after })).rejects.toMatchObject(foreign);
  await expect(world.others.request(listTransfers, { merchant, after })).rejects.toMatchObject(foreign);
  await expect(world.others.request(listCollections, { merchant, after })).rejects.toMatchObject(foreign);
});

test("a session is found by the reference that its merchant's server created it under, in any state, and by no other", async () => {
  const { merchant, oldest, second } = await aShopWithPayments();
  const find = (of: Shop, reference: string) => world.others.request(findOpenedPayment, { merchant: of, reference });
  expect(await find(merchant, "order-1")).toEqual(await read(merchant, oldest));
  await cancel(merchant, second);
  expect(await find(merchant, "order-2")).toMatchObject({ reference: second, status: "expired" });
  await world.others.request(openPublicPayment, { merchant, amount: 2_500, reference: "order-4" });
  for (const unknown of ["order-4", "ORDER-1", oldest])
    await expect(find(merchant, unknown)).rejects.toMatchObject({ code: "not_found" });
  for (const stranger of [aShop(), { ...merchant, mode: "live" as const }])
    await expect(find(stranger, "order-1")).rejects.toMatchObject({ code: "not_found" });
});

test("a pending session can be cancelled, however often, and a transfer on its way still pays it late", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  const [one, other] = await Promise.all([cancel(merchant, session.reference), cancel(merchant, session.reference)]);
  expect(one).toMatchObject({ status: "expired", reference: session.reference });
  expect(other).toEqual(one);
  expect(Date.parse(one.expires_at)).toBeLessThan(Date.parse(session.expires_at));
  expect(await cancel(merchant, session.reference)).toEqual(one);
  expect((await rowOf(world, session.reference)).slot_held).toBe(true);
  await pay(aCollectionFor(session, merchant));
  await until("it is paid late", async () => (await read(merchant, session.reference)).status === "paid_late");
});

test("a session that its payer has sent the money for, or that is paid, cannot be cancelled", async () => {
  const merchant = aShop();
  const sent = await createPayment(world, merchant, aCustomer());
  await world.others.request(reportSent, { reference: sent.reference });
  await expect(cancel(merchant, sent.reference)).rejects.toMatchObject({ code: "not_cancellable" });
  expect((await read(merchant, sent.reference)).status).toBe("processing");
  await pay(aCollectionFor(sent, merchant));
  await expect(cancel(merchant, sent.reference)).rejects.toMatchObject({ code: "not_cancellable" });
  expect((await read(merchant, sent.reference)).status).toBe("paid");
});

test("a session of another merchant or mode is neither listed nor cancelled", async () => {
  const { merchant, newest } = await aShopWithPayments();
  for (const stranger of [aShop(), { ...merchant, mode: "live" as const }]) {
    expect(await references(stranger)).toEqual([]);
    for (const reference of [newest, "order-3", "pay_none"])
      await expect(cancel(stranger, reference)).rejects.toMatchObject({ code: "not_found" });
  }
  expect((await read(merchant, newest)).status).toBe("pending");
});
