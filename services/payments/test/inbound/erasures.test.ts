import { answer, serveRequests } from "@collect/bus";
import {
  collectionPosted,
  type Erasure,
  eraseCollections,
  eraseSessions,
  findPersonSessions,
  findPersonTransfers,
  listErasureCopies,
  type SessionSnapshot,
  storeAccountCopies,
  storeSessionCopies,
} from "@collect/contracts";
import { aMerchant, aTransfer, randomId, startComponents, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { insertCollections } from "../../src/inbound/store/collections.ts";
import { claimPayers } from "../../src/inbound/store/payers.ts";
import { aShop, createPayment, kobo, type Posted, useSessions } from "./sessions-world.ts";

const world = await useSessions();
const copies: SessionSnapshot[] = [];
afterAll(
  await startComponents([
    serveRequests(world.others, {
      service: "checkout",
      log: world.log,
      requests: [
        answer(storeSessionCopies, async ({ sessions }) => {
          copies.push(...sessions);
          return {};
        }),
      ],
    }),
  ]),
);

function aCollection(given: Partial<Posted> = {}): Posted {
  const { fundedBy: _, ...transfer } = aTransfer();
  const posted = { feeBasisPoints: 100, fee: 10_000n, net: 990_000n, transactionId: "1" };
  const source = { bank: "729", bankTransferId: randomId("bank"), narration: "from Ada", allocated: false };
  return { ...transfer, ...posted, source, postedAt: "2026-11-21T09:30:02.000+00:00", ...given };
}
const rowOf = async (intakeId: string) =>
  (
    await world.owner.query(
      `select c.*, p.name as payer_name, p.account_number as payer_account from collections c join payers p on p.id = c.payer_id
       where intake_id = $1`,
      [intakeId],
    )
  ).rows[0];
async function stored(...collections: Posted[]): Promise<void> {
  await world.others.publish(collectionPosted, collections);
  for (const { intakeId } of collections) await until("it is stored", () => rowOf(intakeId));
}
const payersOf = async (merchantId: string) =>
  (await world.owner.query("select name, account_number from payers where merchant_id = $1 order by id", [merchantId]))
    .rows;

const erasureOf = (merchant: Erasure["merchant"], kind: Erasure["kind"], reference: string): Erasure => ({
  ...{ id: randomId("ers"), merchant, kind, reference },
  requested_at: "2026-11-22T10:00:00.000+00:00",
});
const erase = (erasure: Erasure, ...intake_ids: string[]) =>
  world.others.request(eraseCollections, { erasure, kind: erasure.kind, intake_ids });
const find = async ({ id, merchant, kind, reference }: Erasure) =>
  (await world.others.request(findPersonTransfers, { merchant, kind, reference, erasure_id: id, after: "" }))
    .intake_ids;

test("the payer of one collection leads to everything from the same account and name, before and after it is erased", async () => {
  const merchant = aMerchant();
  const payer = { name: "Ada Obi", accountNumber: "0123456789", bankName: "First Bank" };
  const [one, other] = [aCollection({ merchant, payer }), aCollection({ merchant, payer })];
  const stranger = aCollection({ merchant, payer: { ...payer, name: "Bola Ade" } });
  const elsewhere = aCollection({ payer });
  await stored(one, other, stranger, elsewhere);
  const erasure = erasureOf(merchant, "payer", one.intakeId.replace("int_", "col_"));
  const both = [one.intakeId, other.intakeId].toSorted();
  expect(await find(erasure)).toEqual(both);
  await erase(erasure, ...both);
  expect(await find(erasure)).toEqual(both);
  // All erased payers of a merchant are one row, which leads to no other collection.
  expect(await find(erasureOf(merchant, "payer", one.intakeId.replace("int_", "col_")))).toEqual([one.intakeId]);
  expect(await payersOf(merchant.id)).toEqual([
    { name: "Bola Ade", account_number: "0123456789" },
    { name: "Erased", account_number: "" },
  ]);
  expect(await rowOf(elsewhere.intakeId)).toMatchObject({ payer_name: "Ada Obi", source: { narration: "from Ada" } });
  expect(await rowOf(one.intakeId)).toMatchObject({
    ...{ payer_name: "Erased", payer_account: "", customer_name: "Ada Obi", customer_reference: "cust_42" },
    ...{ amount: 1_000_000n, fee: 10_000n, net: 990_000n, source: { ...one.source, narration: null } },
  });
});

test("a payment that arrives while its payer is being erased is credited to the payer anew, and becomes no dead letter", async () => {
  const merchant = aMerchant();
  const payer = { name: "Ada Obi", accountNumber: "0123456789", bankName: "First Bank" };
  const first = aCollection({ merchant, payer });
  await stored(first);
  const next = aCollection({ merchant, payer });
  const erasing = await world.owner.connect();
  try {
    // As an erasure does: it holds the payer's row until it commits, and the arriving collection waits for it.
    await erasing.query("begin");
    await erasing.query(
      `with erased as (insert into payers (merchant_id, mode, bank_name, account_number, name) values ($1, $2, '', '', 'Erased') returning id)
       update collections set payer_id = (select id from erased) where intake_id = $3`,
      [merchant.id, merchant.mode, first.intakeId],
    );
    await erasing.query("delete from payers where merchant_id = $1 and name = 'Ada Obi'", [merchant.id]);
    await world.others.publish(collectionPosted, [next]);
    const waiting =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into collections%'";
    await until("the collection waits", async () => (await world.pool.query(waiting)).rows.length > 0);
    await erasing.query("commit");
  } finally {
    erasing.release();
  }
  expect(await until("it is stored", () => rowOf(next.intakeId))).toMatchObject({
    payer_name: "Ada Obi",
    amount: 1_000_000n,
  });
  expect((await world.owner.query("select 1 from dead_letters where natural_key = $1", [next.intakeId])).rows).toEqual(
    [],
  );
});

test.each([
  ["customer", "cust_42", {}],
  ["payer", "cust_42", { order: "17" }],
  ["payer", null, {}],
] as const)("of a %s, with the customer %s, the metadata is then %j", async (kind, reference, metadata) => {
  const merchant = aMerchant();
  const customer = reference && { reference, name: "Ada Obi" };
  const [collection, old] = [aCollection({ merchant, customer, metadata: { order: "17" } }), aCollection({ merchant })];
  await stored(collection, old);
  await world.owner.query("update collections set metadata = null where intake_id = $1", [old.intakeId]);
  await erase(erasureOf(merchant, kind, reference ?? "col_1"), collection.intakeId, old.intakeId);
  expect(await rowOf(collection.intakeId)).toMatchObject({ metadata });
  // An event of an earlier release does not get any.
  expect(await rowOf(old.intakeId)).toMatchObject({ metadata: null });
});

test("without an account number a name leads to nothing else", async () => {
  const merchant = aMerchant();
  const payer = { name: "Ada Obi", accountNumber: null, bankName: null };
  const [one, other] = [aCollection({ merchant, payer }), aCollection({ merchant, payer })];
  await stored(one, other);
  expect(await find(erasureOf(merchant, "payer", one.intakeId.replace("int_", "col_")))).toEqual([one.intakeId]);
});

test("a customer's collections are erased with their payers, twice and concurrently, and a redelivery changes nothing", async () => {
  const merchant = aMerchant();
  const collection = aCollection({ merchant });
  await stored(collection);
  const erasure = erasureOf(merchant, "customer", "cust_42");
  expect(await find(erasure)).toEqual([collection.intakeId]);
  await Promise.all(Array.from({ length: 5 }, () => erase(erasure, collection.intakeId)));
  await erase(erasure, collection.intakeId);
  const erased = await rowOf(collection.intakeId);
  expect(erased).toMatchObject({ customer_name: "Erased", payer_name: "Erased", customer_reference: "cust_42" });
  // Published before the erasure, and after it.
  const nameless = { ...collection, payer: { name: "Erased", accountNumber: null, bankName: null } };
  await stored(collection, nameless, aCollection());
  expect(await rowOf(collection.intakeId)).toEqual(erased);
  expect(await payersOf(merchant.id)).toEqual([{ name: "Erased", account_number: "" }]);
  const { rows } = await world.others.request(listErasureCopies, { since: "2026-11-22T00:00:00Z", after: null });
  expect(rows).toContainEqual(erasure);
});

test("the sessions of a person lose names, emails, texts and addresses, and their copies are stored before the response", async () => {
  const shop = aShop("live");
  const merchant = { id: shop.id, mode: shop.mode };
  const customer = { customer_reference: randomId("cust"), customer_name: "Ada Obi" };
  const texts = { description: "Shoes for Ada", redirect_url: "https://a.example/?ada" };
  const given = { ...customer, ...texts, metadata: { name: "Ada" } };
  const session = await createPayment(world, shop, { amount: 100, ...given });
  const person = { merchant, kind: "customer" as const, reference: customer.customer_reference };
  expect(await world.others.request(findPersonSessions, person)).toEqual({
    is_known: true,
    sessions: 1,
    open_sessions: 1,
  });
  const erasure = erasureOf(merchant, "customer", customer.customer_reference);
  for (let times = 0; times < 2; times++)
    expect(await world.others.request(eraseSessions, { erasure, after: "" })).toEqual({ next: null });
  const { rows } = await world.owner.query("select * from sessions where reference = $1", [session.reference]);
  const row = {
    customer_name: "Erased",
    account_name: "Erased",
    description: null,
    redirect_url: null,
    metadata: {},
    version: 2,
  };
  expect(rows).toMatchObject([
    { ...row, amount: kobo(session.amount), customer_reference: customer.customer_reference },
  ]);
  const copy = copies.filter(({ reference }) => reference === session.reference);
  expect(copy).toHaveLength(2);
  for (const { version, accountName, description, kept } of copy)
    expect({ version, accountName, description, name: kept?.customerName, metadata: kept?.metadata }).toEqual({
      ...{ version: 2, accountName: "Erased" },
      ...{ description: null, name: "Erased", metadata: {} },
    });
  await expect(
    world.owner.query("update sessions set account_name = 'Bola Ade' where reference = $1", [session.reference]),
  ).rejects.toThrow("was quoted already");
});

test("a person that nothing is known of is not known", async () => {
  const person = { merchant: aMerchant(), kind: "payer" as const, reference: "col_unknown" };
  expect(await world.others.request(findPersonSessions, person)).toEqual({
    is_known: false,
    sessions: 0,
    open_sessions: 0,
  });
});

test("a payer who is erased while a new collection of theirs is recorded is inserted again with the next try", async () => {
  const collection = aCollection();
  const [payerId = 0n] = await claimPayers(world.pool, [collection]);
  await world.owner.query("delete from payers where id = $1", [payerId]);
  const decided = {
    reference: randomId("col"),
    paymentReference: null,
    merchantReference: null,
    payerDetailsName: null,
    metadata: {},
  };
  await expect(insertCollections(world.pool, [{ ...collection, ...decided, payerId }])).rejects.toMatchObject({
    code: "40001",
  });
});

test("a copy of an account from before the erasure, arriving late, does not bring the name back", async () => {
  const account = {
    ...{ id: randomId("acc"), merchant: aMerchant(), position: null, account_number: "0000000017" },
    ...{ bank_name: "Test Bank", issue_request_id: randomId("req"), status: "retired" as const },
    ...{ created_at: "2026-11-21T09:30:00.000+00:00", retired_at: "2026-11-22T09:30:00.000+00:00" },
  };
  const named = {
    ...account,
    account_name: "Ada Stores / Ada Obi",
    customer: { reference: "cust_1", name: "Ada Obi" },
  };
  const erased = { ...account, account_name: "Erased", customer: { reference: "cust_1", name: "Erased" } };
  for (const copy of [named, erased, named]) await world.others.request(storeAccountCopies, { accounts: [copy] });
  const { rows } = await world.owner.query("select copy from account_copies where id = $1", [account.id]);
  expect(rows).toMatchObject([{ copy: { account_name: "Erased", customer: { name: "Erased" } } }]);
});
