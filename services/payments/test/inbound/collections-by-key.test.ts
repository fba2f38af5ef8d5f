import { answer, serveRequests } from "@collect/bus";
import {
  browseSettlementLines,
  collectionPosted,
  eventsOfCollections,
  listCollections,
  Problem,
  readCollection,
  readIntakes,
  settlementsOfCollections,
  type WireInput,
} from "@collect/contracts";
import { expect, test } from "vitest";
import {
  aCollectionFor,
  aCustomer,
  aShop,
  createPay,
  createPayment,
  kobo,
  type Shop,
  useSessions,
} from "./sessions-world.ts";

const world = await useSessions();
const pay = await createPay(world);

/** What the ledger and webhooks know: the settlement of each collection, and the number of its event. */
const settlementOf = new Map<string, string>();
const sequenceOf = new Map<string, number>();
const at = "2026-11-21T09:30:00.000+00:00";
const ledger = [
  answer(settlementsOfCollections, async ({ intake_ids }) => ({
    settlements: intake_ids.flatMap((intake_id) => {
      const reference = settlementOf.get(intake_id);
      return reference === undefined ? [] : [{ intake_id, reference }];
    }),
  })),
  answer(browseSettlementLines, async ({ reference, limit, after }) => {
    const keys = [...settlementOf].flatMap(([key, settlement]) => (settlement === reference ? [key] : []));
    if (keys.length === 0) throw new Problem("not_found", "There is no such settlement.");
    const start = Number(after ?? 0);
    const line = { kind: "collection", gross: 0n, fee: 0n, amount: 0n, version: 1, recorded_at: at };
    const data = keys.slice(start, start + limit).map((key) => ({ ...line, key }));
    return { data, next: start + limit < keys.length ? String(start + limit) : null };
  }),
];
const webhooks = [
  answer(eventsOfCollections, async ({ references }) => ({
    events: references.flatMap((reference) => {
      const sequence = sequenceOf.get(reference);
      return sequence === undefined ? [] : [{ reference, id: `evt_${sequence}`, sequence }];
    }),
  })),
];
await serveRequests(world.others, { service: "ledger", log: world.log, requests: ledger }).start();
await serveRequests(world.others, { service: "webhooks", log: world.log, requests: webhooks }).start();

type Given = Partial<Omit<WireInput<typeof listCollections>, "merchant">>;
const list = ({ id, mode }: Shop, given: Given = {}) =>
  world.others.request(listCollections, { merchant: { id, mode }, ...given });
const read = ({ id, mode }: Shop, reference: string) =>
  world.others.request(readCollection, { merchant: { id, mode }, reference });
const references = ({ data }: { data: { reference: string }[] }) => data.map(({ reference }) => reference);

/** A merchant with three collections: for a customer, for an order in the pool, and for another one, a minute apart. */
async function aPaidShop() {
  const merchant = aShop();
  const sessions = [
    await createPayment(world, merchant, { ...aCustomer(), metadata: { order: "17" } }),
    await createPayment(world, merchant, { reference: "order-1" }),
    await createPayment(world, merchant, { reference: "order-2" }),
  ];
  // The sessions must be older than the payments.
  await world.owner.query("update sessions set created_at = '2026-11-21T09:00:00Z' where merchant_id = $1", [
    merchant.id,
  ]);
  const collections = sessions.map((session, minute) =>
    aCollectionFor(session, merchant, { paidAt: `2026-11-21T09:3${minute}:00.000+00:00` }),
  );
  await pay(...collections);
  return { merchant, sessions, collections };
}

test("a collection is read as its event says it, with its payer, its settlement and its event", async () => {
  const { merchant, sessions, collections } = await aPaidShop();
  const [session, collection] = [sessions[0], collections[0]];
  if (!session || !collection) throw new Error("made");
  const before = await read(merchant, session.reference);
  expect(before).toMatchObject({ settlement_id: null, event: null });
  expect(kobo(before.net)).toBe(kobo(before.amount) - kobo(before.fee));
  settlementOf.set(collection.intakeId, "stl_1");
  sequenceOf.set(session.reference, 7);
  expect(await read(merchant, session.reference)).toEqual({
    reference: session.reference,
    amount: session.amount,
    fee: before.fee,
    net: before.net,
    currency: "NGN",
    rail: "bank",
    customer_reference: session.customer_reference,
    customer_name: "Ada Obi",
    account_number: session.account_number,
    payer_name: "Chidi Eze",
    paid_at: collection.paidAt,
    payment_reference: session.reference,
    merchant_reference: null,
    payer: { name: "Chidi Eze", account_number: "0123456789", bank_name: "First Bank" },
    metadata: { order: "17" },
    settlement_id: "stl_1",
    event: { id: "evt_7", sequence: 7 },
    bank_session_id: null,
    created_at: before.created_at,
    attached_at: null,
    mode: "test",
  });
});

test("what the bank kept and calls it is stored for accounts, and the merchant reads the session id alone", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant);
  const kept = { bankFee: 10n, bankVat: 1n, sessionId: "000014261121103000123456789012", settlementId: "ST-1" };
  const source = { bank: "729", bankTransferId: "TRF-1", narration: null, allocated: false, ...kept };
  const collection = { ...aCollectionFor(session, merchant), source };
  await pay(collection);
  const { intakes } = await world.others.request(readIntakes, { intake_ids: [collection.intakeId] });
  expect(intakes.map((intake) => collectionPosted.data.parse(intake).source)).toEqual([source]);
  const shown = await read(merchant, session.reference);
  expect(shown.bank_session_id).toBe(kept.sessionId);
  expect(JSON.stringify(shown)).not.toMatch(/ST-1|TRF-1|bank_?fee/i);
});

test("the list is newest first, page by page, and each filter selects", async () => {
  const { merchant, sessions } = await aPaidShop();
  const [first, second, third] = sessions.map(({ reference }) => reference);
  const page = await list(merchant, { limit: 2 });
  expect(page).toMatchObject({ limit: 2, has_more: true, mode: "test" });
  expect(references(page)).toEqual([third, second]);
  const last = await list(merchant, { limit: 2, after: page.next ?? "" });
  expect(last).toMatchObject({ has_more: false, next: null });
  expect(references(last)).toEqual([first]);
  const elsewhere = list({ ...merchant, mode: "live" }, { after: page.next ?? "" });
  await expect(elsewhere).rejects.toMatchObject({ code: "validation_failed", errors: [{ param: "after" }] });

  const selected = async (given: Given) => references(await list(merchant, given));
  const [customers, pool] = [sessions[0], sessions[1]];
  expect(await selected({ customer_reference: customers?.customer_reference ?? "" })).toEqual([first]);
  expect(await selected({ account_number: customers?.account_number ?? "" })).toEqual([first]);
  expect(await selected({ payment_reference: second })).toEqual([second]);
  expect(await selected({ merchant_reference: "order-2" })).toEqual([third]);
  expect(await selected({ amount: String(pool?.amount) })).toEqual([second]);
  expect(await selected({ paid_from: "2026-11-21T09:31:00Z" })).toEqual([third, second]);
  expect(await selected({ paid_from: "2026-11-21T10:30:00+01:00", paid_to: "2026-11-21T09:31:00Z" })).toEqual([first]);
  expect(await selected({ merchant_reference: "order-1", payment_reference: third })).toEqual([]);
});

test("what a settlement settled is listed in its order, and not together with another filter", async () => {
  const { merchant, sessions, collections } = await aPaidShop();
  for (const { intakeId } of collections.slice(0, 2)) settlementOf.set(intakeId, "stl_2");
  const settled = (given: Given) => list(merchant, { settlement_id: "stl_2", ...given });
  expect(references(await settled({}))).toEqual(sessions.slice(0, 2).map(({ reference }) => reference));
  const page = await settled({ limit: 1 });
  expect(references(await settled({ limit: 1, after: page.next ?? "" }))).toEqual([sessions[1]?.reference]);
  await expect(settled({ merchant_reference: "order-1" })).rejects.toMatchObject({ code: "validation_failed" });
  await expect(list(merchant, { settlement_id: "stl_none" })).rejects.toMatchObject({ code: "not_found" });
  // The ledger would not list a settlement of another merchant; were it to, its collections stay the other's.
  expect((await list(aShop(), { settlement_id: "stl_2" })).data).toEqual([]);
});

test("a collection of another merchant or mode is neither listed nor found", async () => {
  const { merchant, sessions } = await aPaidShop();
  const [{ reference } = { reference: "" }] = sessions;
  for (const stranger of [aShop(), { ...merchant, mode: "live" as const }]) {
    expect((await list(stranger)).data).toEqual([]);
    for (const asked of [reference, "col_none", "\0"])
      await expect(read(stranger, asked)).rejects.toMatchObject({ code: "not_found" });
  }
});
