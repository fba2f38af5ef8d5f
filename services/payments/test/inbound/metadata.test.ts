import {
  getPayment,
  listPayments,
  type Metadata,
  openPublicPayment,
  readCollectionFacts,
  sessionChanged,
} from "@collect/contracts";
import { recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import {
  aCollectionFor,
  aCustomer,
  aShop,
  createPay,
  createPayment,
  createSession,
  useSessions,
} from "./sessions-world.ts";

/** A merchant's own values, with sessions and with collections. */

const world = await useSessions();
const pay = await createPay(world);
const changed = await recordFacts(world.others, sessionChanged);

const OF_ORDER = { order: "17", note: 'línea 1\nlínea 2 "x" \\' };
const OF_ACCOUNT = { branch: "yaba", 7: "seven" };
const read = (merchant: ReturnType<typeof aShop>, reference: string) =>
  world.others.request(getPayment, { merchant, reference });
const recovered = async (...intake_ids: string[]) =>
  (await world.others.request(readCollectionFacts, { intake_ids })).collections;

test("a session returns its metadata wherever it is read, and a repeat with other metadata changes nothing", async () => {
  const merchant = aShop();
  const order = { reference: "order-17", metadata: OF_ORDER };
  const payment = await createPayment(world, merchant, order);
  expect(payment.metadata).toEqual(OF_ORDER);
  const others: (Metadata | undefined)[] = [{ order: "18" }, {}, undefined];
  for (const metadata of others)
    expect(await createSession(world, merchant, { ...order, metadata })).toEqual({ payment, created: false });
  expect(await read(merchant, payment.reference)).toEqual(payment);
  expect((await world.others.request(listPayments, { merchant })).data).toEqual([payment]);
  const { kept } = await until("published", () => changed.all.find(({ reference }) => reference === payment.reference));
  expect(kept?.metadata).toEqual(OF_ORDER);
});

test("a session without metadata has {}, as has one of a public key, whose callers the merchant does not know", async () => {
  const merchant = aShop();
  expect((await createPayment(world, merchant)).metadata).toEqual({});
  const call = { merchant, amount: 2_500, metadata: OF_ORDER };
  const { session } = await world.others.request(openPublicPayment, call);
  expect((await read(merchant, session.reference)).metadata).toEqual({});
});

test("a collection has the metadata of the session that it paid, and otherwise of the customer's account", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const [ordered, plain] = [
    await createPayment(world, merchant, { ...customer, metadata: OF_ORDER }),
    await createPayment(world, merchant, { ...customer, amount: 300 }),
  ];
  const collections = [
    aCollectionFor(ordered, merchant, { metadata: OF_ACCOUNT }),
    aCollectionFor(plain, merchant, { metadata: OF_ACCOUNT }),
    // Before the sessions.
    aCollectionFor(ordered, merchant, { metadata: OF_ACCOUNT, amount: 7n, afterS: -600 }),
    aCollectionFor(ordered, merchant, { amount: 8n, afterS: -600 }),
  ];
  const succeeded = await pay(...collections);
  expect(succeeded.map(({ metadata, paymentReference }) => [metadata, paymentReference])).toEqual([
    [OF_ORDER, ordered.reference],
    [{}, plain.reference],
    [OF_ACCOUNT, null],
    [{}, null],
  ]);
  // A redelivery after the account changed, and webhooks after a restore, get what was decided: to the byte, as the keys keep their order.
  const repeats = await pay(...collections.map((collection) => ({ ...collection, metadata: { other: "x" } })));
  const again = await recovered(...collections.map(({ intakeId }) => intakeId));
  for (const [n, { intakeId, metadata }] of succeeded.entries()) {
    expect(JSON.stringify(repeats[n]?.metadata)).toBe(JSON.stringify(metadata));
    const fact = again.find((one) => one.intakeId === intakeId);
    expect(JSON.stringify(fact?.metadata)).toBe(JSON.stringify(metadata));
  }
});

test("a collection of an earlier release is published without metadata, so that its event keeps its bytes", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, { metadata: OF_ORDER });
  const collection = aCollectionFor(session, merchant);
  await pay(collection);
  await world.owner.query("update collections set metadata = null where intake_id = $1", [collection.intakeId]);
  const [fact] = await recovered(collection.intakeId);
  expect(fact).toBeDefined();
  expect(fact).not.toHaveProperty("metadata");
});

test.each([
  ["a list", "[]"],
  ["text", '"x"'],
  ["a key that is too long", JSON.stringify({ ["k".repeat(41)]: "" })],
  ["an empty key", '{"":"x"}'],
  ["a value that is too long", JSON.stringify({ a: "v".repeat(501) })],
  ["a value that is no text", '{"a":1}'],
  ["a nested value", '{"a":{"b":"c"}}'],
  ["too many keys", JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ""])))],
])("the database refuses %s, whoever writes it", async (_what, metadata) => {
  const { reference } = await createPayment(world, aShop());
  const store = (value: string) =>
    world.pool.query("update sessions set metadata = $2 where reference = $1", [reference, value]);
  await expect(store(metadata)).rejects.toThrow("sessions_metadata_check");
  const most = Array.from({ length: 20 }, (_, n) => [`é${n}`.padEnd(40, "k"), "é".repeat(500)]);
  await store(JSON.stringify(Object.fromEntries(most)));
});
