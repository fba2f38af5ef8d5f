import {
  type Actor,
  browsePayments,
  getCollection,
  listAttachable,
  openPublicPayment,
  showPayment,
} from "@collect/contracts";
import { randomId, until } from "@collect/testing";
import { expect, test } from "vitest";
import { ADA, refusalOf, type Target, useAttaching } from "./attaching.ts";
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
const { attach, factsOf, pay, read, unmatched } = await useAttaching(world);

test("money that matched nothing is attached to a session, which counts it, by the member who said so first, and webhooks is notified", async () => {
  const merchant = aShop();
  const order = { reference: "order-1", customer_name: "Ada Obi", metadata: { branch: "yaba" } };
  const payment = await createPayment(world, merchant, order);
  const { posted, reference } = await unmatched(merchant, payment, 2_300);
  const answered = await attach(merchant, reference, { payment_reference: payment.reference });
  expect(answered.session).toMatchObject({ reference: payment.reference, status: "underpaid", amount_received: 2_300 });
  const names = { payment_reference: payment.reference, merchant_reference: "order-1", customer_name: "Ada Obi" };
  expect(answered.collection).toMatchObject({ reference, ...names, attached_at: expect.any(String) });
  expect(await read(merchant, payment.reference)).toMatchObject({
    status: "underpaid",
    amount_received: 2_300,
    collections: [{ reference, amount: 2_300 }],
  });
  const fact = await until("published", () => factsOf(posted)[0]);
  expect(fact).toMatchObject({
    ...{ reference, amount: 230_000n, customer: null, payerDetailsName: "Ada Obi" },
    ...{ paymentReference: payment.reference, merchantReference: "order-1", metadata: { branch: "yaba" } },
  });
  const found = () => world.others.request(getCollection, { merchant, reference });
  expect((await found()).collection).toMatchObject({ ...names, metadata: { branch: "yaba" } });
  const bola: Actor = { kind: "member", user_id: "usr_bola", email: "bola@example.com" };
  await attach(merchant, reference, { payment_reference: payment.reference }, bola);
  expect((await found()).attached_by).toEqual(ADA);
});

test("attached to a customer it has the customer's reference, name and no session", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  await createPayment(world, merchant, customer);
  const { reference } = await unmatched(merchant, await createPayment(world, merchant), 700);
  const { collection, session } = await attach(merchant, reference, {
    customer_reference: customer.customer_reference,
  });
  expect([collection.payment_reference, session]).toEqual([null, null]);
  expect(collection).toMatchObject(customer);
});

test("the same once more is the same answer, and another target is refused with a code of its own", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  await createPayment(world, merchant, customer);
  const [one, other] = [await createPayment(world, merchant), await createPayment(world, merchant)];
  const { posted, reference } = await unmatched(merchant, one, 2_300);
  const first = await attach(merchant, reference, { payment_reference: one.reference });
  expect(await attach(merchant, reference, { payment_reference: one.reference })).toEqual(first);
  const elsewhere: Target[] = [
    { payment_reference: other.reference },
    { customer_reference: customer.customer_reference },
  ];
  for (const target of elsewhere) expect(await refusalOf(attach(merchant, reference, target))).toBe("already_attached");
  expect(await read(merchant, one.reference)).toMatchObject({ amount_received: 2_300 });
  expect(await read(merchant, other.reference)).toMatchObject({ amount_received: 0, status: "pending" });
  expect(factsOf(posted).every((fact) => fact.paymentReference === one.reference)).toBe(true);
});

test("of people who attach it to different sessions at once exactly one is first", async () => {
  const merchant = aShop();
  const payments = await Promise.all(Array.from({ length: 6 }, () => createPayment(world, merchant)));
  const [first] = payments;
  if (!first) throw new Error("there is no payment");
  const { reference } = await unmatched(merchant, first, 2_300);
  const outcomes = await Promise.all(
    [...payments, ...payments].map((one) =>
      refusalOf(attach(merchant, reference, { payment_reference: one.reference })),
    ),
  );
  expect(outcomes.toSorted()).toEqual([...Array(10).fill("already_attached"), "none", "none"]);
  const received = await Promise.all(
    payments.map(async (one) => (await read(merchant, one.reference)).amount_received),
  );
  expect(received.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 2_300]);
});

test("never across merchants or modes: everything foreign is not found, and nothing changes", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  await createPayment(world, merchant, customer);
  const payment = await createPayment(world, merchant);
  const { reference } = await unmatched(merchant, payment, 2_300);
  const strangers: Shop[] = [aShop(), { ...merchant, mode: "live" }];
  for (const stranger of strangers) {
    const foreign = await createPayment(world, stranger);
    const theirs = { ...aCustomer(), customer_reference: randomId("theirs") };
    await createPayment(world, stranger, theirs);
    for (const target of [{ payment_reference: foreign.reference }, { customer_reference: theirs.customer_reference }])
      expect(await refusalOf(attach(merchant, reference, target))).toBe("not_found");
    expect(await refusalOf(attach(stranger, reference, { payment_reference: foreign.reference }))).toBe("not_found");
    expect(await refusalOf(attach(stranger, reference, { payment_reference: payment.reference }))).toBe("not_found");
    expect(await read(stranger, foreign.reference)).toMatchObject({ amount_received: 0, status: "pending" });
  }
  const own = { payment_reference: payment.reference };
  for (const unknown of [randomId("col"), "col\u0000", "x".repeat(101)])
    expect(await refusalOf(attach(merchant, unknown, own))).toMatch(/^(not_found|validation_failed)$/);
  const { collection } = await world.others.request(getCollection, { merchant, reference });
  expect(collection).toMatchObject({ payment_reference: null, customer_reference: null, attached_at: null });
});

test("money that was matched, and a session that takes none, are refused", async () => {
  const merchant = aShop();
  const [one, other] = [await createPayment(world, merchant), await createPayment(world, merchant)];
  const [matched] = await pay(aCollectionFor(one, merchant));
  expect(matched?.paymentReference).toBe(one.reference);
  const refused = (reference: string, target: Target) => refusalOf(attach(merchant, reference, target));
  expect(await refused(one.reference, { payment_reference: other.reference })).toBe("not_attachable");
  const { reference } = await unmatched(merchant, one, 2_300);
  expect(await refused(reference, { payment_reference: one.reference })).toBe("not_attachable");
  const { session } = await world.others.request(openPublicPayment, { merchant, amount: 2_500 });
  expect(await refused(reference, { payment_reference: session.reference })).toBe("not_attachable");
  const both = { payment_reference: other.reference, customer_reference: "cust_1" };
  for (const target of [{}, both]) expect(await refused(reference, target)).toBe("validation_failed");
  expect(await read(merchant, other.reference)).toMatchObject({ amount_received: 0 });
});

test("an expired session is paid late by the exact amount, overpaid by more, and by less underpaid, also behind its watch window", async () => {
  const merchant = aShop();
  for (const [more, status] of [
    [0, "paid_late"],
    [100, "overpaid"],
    [-100, "underpaid"],
  ] as const) {
    const payment = await createPayment(world, merchant);
    // Paid before the session was created, the money is not for it by itself, whatever its amount.
    const { reference } = await unmatched(merchant, payment, payment.amount + more, -600);
    await ageSession(world, payment.reference, 86_400);
    await until("expired", async () => (await rowOf(world, payment.reference)).status === "expired");
    const { session } = await attach(merchant, reference, { payment_reference: payment.reference });
    expect([more, session?.status]).toEqual([more, status]);
    const { payment: shown } = await world.others.request(showPayment, { merchant, reference: payment.reference });
    expect(shown.paid_at === null).toBe(status === "underpaid");
  }
});

test("the sessions that it may be for are ranked, with what becomes of each, and found by what is typed", async () => {
  const merchant = aShop();
  const scope = { id: merchant.id, mode: merchant.mode };
  const [first, hers, paid] = [
    await createPayment(world, merchant, { amount: 3_000 }),
    await createPayment(world, merchant, { reference: "order-7", customer_name: "Ada Obi" }),
    await createPayment(world, merchant, { reference: "order-8" }),
  ];
  await pay(aCollectionFor(paid, merchant));
  await createPayment(world, aShop());
  const { reference } = await unmatched(merchant, first, 2_400);
  const listed = async (text?: string) =>
    (await world.others.request(listAttachable, { merchant: scope, reference, ...(text && { text }) })).sessions;
  const likeliest = await listed();
  expect(likeliest.map((session) => session.reference)).toEqual([hers.reference, first.reference]);
  expect(likeliest[0]).toMatchObject({
    ...{ merchant_reference: "order-7", name: "Ada Obi", amount_received: 0, status: "pending" },
    after: { status: "underpaid", missing: Math.round((hers.amount - 2_400) * 100) / 100, excess: 0 },
  });
  expect(await listed("order-8")).toMatchObject([{ reference: paid.reference, status: "paid", after: null }]);
  expect(await listed("3000")).toMatchObject([{ reference: first.reference, after: { status: "underpaid" } }]);
  expect(await listed("nobody")).toEqual([]);
  const foreign = world.others.request(listAttachable, { merchant: { ...scope, mode: "live" }, reference });
  expect(await refusalOf(foreign)).toBe("not_found");
});

test("sessions whose exact amount came twice are listed, and no others", async () => {
  const merchant = aShop();
  const [once, twice] = [await createPayment(world, merchant), await createPayment(world, merchant)];
  await pay(aCollectionFor(once, merchant), aCollectionFor(twice, merchant));
  await pay(aCollectionFor(twice, merchant, { afterS: 5 }));
  const { data } = await world.others.request(browsePayments, {
    merchant: { id: merchant.id, mode: merchant.mode },
    paid: "twice",
  });
  expect(data).toMatchObject([{ reference: twice.reference, status: "paid", amount_received: 2 * twice.amount }]);
});
