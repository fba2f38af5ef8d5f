import { answer, serveRequests } from "@collect/bus";
import {
  browseCollections,
  collectionReversed,
  eventsOfCollections,
  type Fact,
  getCollection,
  listAuditedReversals,
  listReversals,
  listTransferEvents,
  readCollection,
  readReversals,
  reversalPosted,
  reversalRecorded,
  sessionChanged,
  settlementsOfCollections,
  transferReversed,
} from "@collect/contracts";
import { randomId, recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { refusalOf, useAttaching } from "./attaching.ts";
import {
  aCollectionFor,
  aCustomer,
  aShop,
  createPayment,
  kobo,
  type Posted,
  type Shop,
  useSessions,
} from "./sessions-world.ts";

/** Collections that a bank takes back, and the sessions that they paid. */

type Reversal = Fact<typeof reversalPosted>;
const world = await useSessions();
const { pay, attach, unmatched, read } = await useAttaching(world);
const reversed = await recordFacts(world.others, collectionReversed);
const changes = await recordFacts(world.others, sessionChanged);
const LONG_AGO = "2026-01-01T00:00:00.000+00:00";
const at = "2026-11-22T09:30:00.000+00:00";
const none = [
  answer(settlementsOfCollections, async () => ({ settlements: [] })),
  answer(eventsOfCollections, async () => ({ events: [] })),
] as const;
await serveRequests(world.others, { service: "ledger", log: world.log, requests: [none[0]] }).start();
await serveRequests(world.others, { service: "webhooks", log: world.log, requests: [none[1]] }).start();

const SOURCE = { bank: "729", accountNumber: "0000000017", allocated: false, bankFee: 7n };
/** As the ledger publishes it, with a fee of 1 %. */
const aReversal = ({ intakeId: creditId, merchant, amount }: Posted, given: Partial<Reversal> = {}): Reversal => {
  const taken = given.amount ?? amount;
  return {
    ...{ intakeId: randomId("int"), creditId, merchant, amount, reversedBefore: 0n, reversedAt: at, receivedAt: at },
    source: { ...SOURCE, bankTransferId: randomId("rev") },
    ...{ fee: taken / 100n, net: taken - taken / 100n, transactionId: "9", postedAt: at },
    ...given,
  };
};
const factsOf = ({ intakeId }: Reversal) => reversed.all.filter((fact) => fact.intakeId === intakeId);
async function reverse(...reversals: Reversal[]) {
  const before = reversals.map((one) => factsOf(one).length);
  await world.others.publish(reversalPosted, reversals);
  return until("recorded", () => {
    const facts = reversals.flatMap((one, n) => factsOf(one).slice(before[n]).slice(0, 1));
    return facts.length === reversals.length && facts;
  });
}
const byKey = ({ id, mode }: Shop, reference: string) =>
  world.others.request(readCollection, { merchant: { id, mode }, reference });
const listed = async ({ id, mode }: Shop, filter: { taken_back?: "yes"; match?: "none" }) => {
  const { data } = await world.others.request(browseCollections, { merchant: { id, mode }, ...filter });
  return data.map(({ reference }) => reference);
};
const shown = ({ id, mode }: Shop, reference: string) =>
  world.others.request(getCollection, { merchant: { id, mode }, reference });
const isDead = (intakeId: string) =>
  until("it is a dead letter", async () => {
    const { rows } = await world.owner.query("select error from dead_letters where natural_key = $1", [intakeId]);
    return rows[0]?.error;
  });

async function aPaidSession() {
  const merchant = aShop();
  const session = await createPayment(world, merchant, { ...aCustomer(), reference: "order-1" });
  const posted = aCollectionFor(session, merchant);
  await pay(posted);
  return { merchant, session, posted };
}

test("a reversal is recorded once, with its own reference, and published the same each time; collection and session show it", async () => {
  const { merchant, session, posted } = await aPaidSession();
  const reversal = aReversal(posted);
  const [fact] = await reverse(reversal);
  expect(fact).toEqual({
    ...{ intakeId: reversal.intakeId, creditId: posted.intakeId, merchant: posted.merchant, currency: "NGN" },
    ...{ reference: reversal.intakeId.replace("int_", "rev_"), collectionReference: session.reference },
    ...{ amount: posted.amount, fee: reversal.fee, net: reversal.net },
    ...{ collectionAmount: posted.amount, amountReversed: posted.amount, accountNumber: session.account_number },
    ...{ customerReference: session.customer_reference, paymentReference: session.reference },
    ...{ merchantReference: "order-1", reversedAt: at },
  });
  const repeats = await Promise.all(Array.from({ length: 4 }, () => reverse(reversal)));
  for (const [again] of repeats) expect(again).toEqual(fact);
  const { amount } = session;
  // Copies get it as a newer version, so that no payer is asked for the rest.
  const copies = changes.all.filter(
    ({ reference, amountReversed }) => reference === session.reference && amountReversed,
  );
  expect(new Set(copies.map(({ version }) => version)).size).toBe(1);
  const paid = changes.all.findLast((one) => one.reference === session.reference && !one.amountReversed);
  expect(copies[0]).toMatchObject({ amountReversed: kobo(amount), version: (paid?.version ?? 0) + 1 });
  expect(await read(merchant, session.reference)).toMatchObject({
    ...{ status: "paid", amount_received: amount, amount_reversed: amount },
    collections: [{ reference: session.reference, amount_reversed: amount }],
  });
  expect(await byKey(merchant, session.reference)).toMatchObject({
    amount_reversed: amount,
    reversals: [{ reference: fact?.reference, amount, reversed_at: at }],
  });
  expect(await shown(merchant, session.reference)).toMatchObject({
    collection: { amount_reversed: amount },
    reversals: [{ reference: fact?.reference, amount, reversed_at: at, posted_at: at, sequence: null }],
  });
  expect(await listed(merchant, { taken_back: "yes" })).toEqual([session.reference]);
  const span = { after: "", up_to: reversal.intakeId };
  expect((await world.others.request(listAuditedReversals.payments, span)).reversals.at(-1)).toEqual({
    ...{ reversal_id: reversal.intakeId, kind: "reversal", merchant_id: merchant.id, mode: merchant.mode },
    amount: String(posted.amount),
  });
});

test("what was not taken back says nothing of it", async () => {
  const { merchant, session } = await aPaidSession();
  expect(await read(merchant, session.reference)).not.toHaveProperty("amount_reversed");
  expect(await shown(merchant, session.reference)).not.toHaveProperty("reversals");
  expect(await listed(merchant, { taken_back: "yes" })).toEqual([]);
  const collection = await byKey(merchant, session.reference);
  for (const field of ["amount_reversed", "reversals"]) expect(collection).not.toHaveProperty(field);
});

test("parts add up in any order, to the collection and no further", async () => {
  const { merchant, session, posted } = await aPaidSession();
  const first = aReversal(posted, { amount: 100n });
  const second = aReversal(posted, { amount: posted.amount - 100n, reversedBefore: 100n });
  const facts = await reverse(second, first);
  expect(facts.map(({ amountReversed }) => amountReversed)).toEqual([posted.amount, 100n]);
  const { reversals } = await byKey(merchant, session.reference);
  expect(reversals?.map(({ amount }) => kobo(amount))).toEqual([100n, posted.amount - 100n]);
  const tooMuch = aReversal(posted, { amount: 1n, reversedBefore: posted.amount });
  await world.others.publish(reversalPosted, [tooMuch]);
  expect(await isDead(tooMuch.intakeId)).toContain("reversed_a_part");
  const changed = { ...first, amount: 99n, fee: 0n, net: 99n };
  await world.others.publish(reversalPosted, [changed]);
  expect(await isDead(first.intakeId)).toContain("came again with another amount");
});

test("a reversal before its collection is left to the next drive", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  const posted = aCollectionFor(session, merchant);
  const [early, other] = [aReversal(posted), aReversal((await aPaidSession()).posted)];
  await world.others.publish(reversalPosted, [early]);
  await reverse(other);
  expect(factsOf(early)).toEqual([]);
  await pay(posted);
  await reverse(early);
  expect(await read(merchant, session.reference)).toMatchObject({ status: "paid", amount_reversed: session.amount });
});

test("an underpaid session whose money was taken back is not completed by what comes, which stays unmatched", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, { ...aCustomer(), amount: 1_000 });
  const part = aCollectionFor(session, merchant, { amount: 60_000n });
  await pay(part);
  await reverse(aReversal(part));
  const over = changes.all.findLast(({ reference }) => reference === session.reference);
  expect(Date.parse(over?.watchUntil ?? "")).toBeLessThanOrEqual(Date.now());
  const missing = kobo(session.amount) - 60_000n;
  const [topUp] = await pay(aCollectionFor(session, merchant, { amount: missing }));
  expect(topUp).toMatchObject({ paymentReference: null });
  expect(await refusalOf(attach(merchant, topUp?.reference ?? "", { payment_reference: session.reference }))).toBe(
    "not_attachable",
  );
  expect(await read(merchant, session.reference)).toMatchObject({
    status: "underpaid",
    amount_received: 600,
    amount_reversed: 600,
  });
});

test("money that came before another session's reversal is for the session that is open", async () => {
  const [merchant, customer] = [aShop(), aCustomer()];
  const open = await createPayment(world, merchant, { ...customer, amount: 5_000 });
  const gone = await createPayment(world, merchant, { ...customer, amount: 1_000 });
  const part = aCollectionFor(gone, merchant, { amount: 60_000n });
  await pay(part);
  await reverse(aReversal(part));
  const late = aCollectionFor(gone, merchant, { afterS: 0.001 });
  expect(await pay(late)).toMatchObject([{ paymentReference: open.reference }]);
});

test("money that was attached is taken back from its session; money that was taken back cannot be attached", async () => {
  const merchant = aShop();
  const [session, other] = [await createPayment(world, merchant, {}), await createPayment(world, merchant, {})];
  const money = await unmatched(merchant, session, session.amount + 5);
  await attach(merchant, money.reference, { payment_reference: session.reference });
  const [fact] = await reverse(aReversal(money.posted));
  expect(fact).toMatchObject({ collectionReference: money.reference, paymentReference: session.reference });
  expect(await read(merchant, session.reference)).toMatchObject({
    status: "overpaid",
    amount_reversed: session.amount + 5,
  });
  const gone = await unmatched(merchant, other, other.amount + 7);
  expect(await listed(merchant, { match: "none" })).toEqual([gone.reference]);
  const [unattached] = await reverse(aReversal(gone.posted, { amount: 1n }));
  expect(unattached).toMatchObject({ paymentReference: null });
  expect(await listed(merchant, { match: "none" })).toEqual([]);
  expect(await refusalOf(attach(merchant, gone.reference, { payment_reference: other.reference }))).toBe(
    "not_attachable",
  );
});

test("accounts and webhooks get back after a restore what they had: the bank's own ids, and the event with its numbers", async () => {
  const { posted } = await aPaidSession();
  const reversal = aReversal(posted);
  const [fact] = await reverse(reversal);
  const { fee: _fee, net: _net, transactionId: _id, postedAt: _at, ...asReported } = reversal;
  const expected = { ...asReported, fundedBy: "bank" };
  const { reversals } = await world.others.request(readReversals, { intake_ids: [reversal.intakeId] });
  expect(reversals.map((one) => transferReversed.data.parse(one))).toEqual([expected]);
  const { rows } = await world.others.request(listReversals, { since: LONG_AGO, after: null });
  expect(rows.map((one) => transferReversed.data.parse(one))).toContainEqual(expected);
  const numbers = { sequence: 7, deliveryNumber: 9, recordedAt: at };
  const recorded = {
    intakeId: reversal.intakeId,
    merchant: posted.merchant,
    reference: fact?.reference ?? "",
    ...numbers,
  };
  await world.others.publish(reversalRecorded, [recorded, recorded]);
  const event = await until("its numbers are kept", async () => {
    const page = await world.others.request(listTransferEvents, { since: LONG_AGO, after: null });
    return page.rows.find(({ key }) => key === `collection.reversed:${reversal.intakeId}`);
  });
  expect(event).toMatchObject({ sequence: 7, delivery_number: 9, recorded_at: at });
  expect(collectionReversed.data.parse(event.reversed)).toEqual(fact);
});
