import {
  attachmentRecorded,
  collectionSucceeded,
  eraseCollections,
  listReceived,
  listTransferEvents,
  sessionChanged,
} from "@collect/contracts";
import { transaction } from "@collect/database";
import { randomId, recordFacts, until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { attachAgain, attach as attachAndDie } from "../../src/inbound/use-cases/attach-collection.ts";
import { refusalOf, useAttaching } from "./attaching.ts";
import { aCollectionFor, aShop, createPayment, kobo, type Posted, useSessions } from "./sessions-world.ts";

const world = await useSessions({ attaching: { everyMs: 20 } });
const { attach, factsOf, pay, read, unmatched } = await useAttaching(world);
const succeeded = await recordFacts(world.others, collectionSucceeded);
const changed = await recordFacts(world.others, sessionChanged);

describe("what the other services know of a collection does not change", () => {
  test("a redelivery publishes it as it was recorded, and the self-audit reads it so", async () => {
    const merchant = aShop();
    const payment = await createPayment(world, merchant, { metadata: { a: "b" } });
    const { posted, reference } = await unmatched(merchant, payment, 2_300);
    const span = { from: posted.receivedAt, to: new Date(Date.parse(posted.receivedAt) + 1_000).toISOString() };
    const audited = async () =>
      (await world.others.request(listReceived.payments, span)).rows.find((row) => row.intake_id === posted.intakeId);
    const before = await audited();
    await attach(merchant, reference, { payment_reference: payment.reference });
    const sent = () => succeeded.all.filter((fact) => fact.intakeId === posted.intakeId);
    expect(sent()).toHaveLength(1);
    await pay(posted);
    const [first, again] = await until("published again", () => sent().length > 1 && sent());
    expect(again).toEqual(first);
    expect(await audited()).toEqual(before);
    expect(await read(merchant, payment.reference)).toMatchObject({ amount_received: 2_300 });
  });

  test("nobody attaches it twice, or changes a match, in the database either", async () => {
    const merchant = aShop();
    const payment = await createPayment(world, merchant);
    const [matched] = await pay(aCollectionFor(payment, merchant));
    const { reference } = await unmatched(merchant, payment, 2_300);
    const set = (values: string, which: string) =>
      world.pool.query(`update collections set ${values} where reference = $1`, [which]);
    await expect(set("payment_reference = 'pay_x'", reference)).rejects.toThrow(/matched or attached already/);
    await expect(set("attachment_due = now()", reference)).rejects.toThrow(/only_attachments_are_announced/);
    await expect(set("attached_at = now()", reference)).rejects.toThrow(/attached_to_something/);
    for (const values of [
      "payment_reference = 'pay_x', attached_at = now()",
      "customer_reference = 'c', attached_at = now()",
    ])
      await expect(set(values, matched?.reference ?? "")).rejects.toThrow(/matched or attached already/);
    await set("customer_reference = 'c', attached_at = now()", reference);
    await expect(set("customer_reference = 'd'", reference)).rejects.toThrow(/matched or attached already/);
  });
});

describe("after a crash or a restore", () => {
  const dueOf = async ({ intakeId }: Posted) => {
    const { rows } = await world.owner.query("select attachment_due as due from collections where intake_id = $1", [
      intakeId,
    ]);
    return rows[0]?.due;
  };

  test("it is published again until its event is recorded, and the event's number is kept for webhooks", async () => {
    const merchant = aShop();
    const payment = await createPayment(world, merchant);
    const { posted, reference } = await unmatched(merchant, payment, 2_300);
    await attach(merchant, reference, { payment_reference: payment.reference });
    await until("published", () => factsOf(posted).length === 1);
    await world.owner.query("update collections set attachment_due = now() where intake_id = $1", [posted.intakeId]);
    const [first, again] = await until("published again", () => factsOf(posted).length > 1 && factsOf(posted));
    expect(again).toEqual(first);
    const numbers = { sequence: 7, deliveryNumber: null, recordedAt: "2026-11-21T10:00:00.000Z" };
    const scope = { id: merchant.id, mode: merchant.mode };
    await world.others.publish(attachmentRecorded, [
      { intakeId: posted.intakeId, merchant: scope, reference, ...numbers },
    ]);
    await until("recorded", async () => (await dueOf(posted)) === null);
    const { rows } = await world.others.request(listTransferEvents, { since: "2026-01-01T00:00:00Z", after: null });
    const kept = rows.find(({ key }) => key === `collection.attached:${posted.intakeId}`);
    expect(kept).toMatchObject({
      sequence: 7,
      transfer: null,
      attached: { reference, paymentReference: payment.reference },
    });
  });

  test("the session is published with it, and again when a person says the same once more", async () => {
    const merchant = aShop();
    const scope = { id: merchant.id, mode: merchant.mode };
    const payment = await createPayment(world, merchant);
    const { posted, reference } = await unmatched(merchant, payment, 2_300);
    const target = { payment_reference: payment.reference };
    await transaction(world.pool, (tx) => attachAndDie(tx, { merchant: scope, reference, target, by: null }));
    const told = () =>
      changed.all.filter((fact) => fact.reference === payment.reference && fact.status === "underpaid");
    expect(told()).toEqual([]);
    await world.owner.query("update collections set attachment_due = now() where intake_id = $1", [posted.intakeId]);
    const [first] = await until("the worker has published it", () => told().length > 0 && told());
    await attach(merchant, reference, target);
    expect(await until("published again", () => told()[1])).toEqual(first);
  });

  test("what a merchant was notified of is attached again, once, whatever was recovered before it", async () => {
    const merchant = aShop();
    const scope = { id: merchant.id, mode: merchant.mode };
    const at = new Date().toISOString();
    const payment = await createPayment(world, merchant);
    const { posted } = await unmatched(merchant, payment, 2_300);
    const match = {
      ...{ paymentReference: payment.reference, merchantReference: null, customerReference: null, customerName: null },
      metadata: {},
    };
    await pay(aCollectionFor(payment, merchant));
    const again = (intakeId: string) =>
      transaction(world.pool, (tx) => attachAgain(tx, { merchant: scope, intakeId, match, at }));
    const { changed } = await again(posted.intakeId);
    expect(changed).toMatchObject([{ status: "overpaid", amountReceived: kobo(payment.amount) + 230_000n }]);
    expect(await again(posted.intakeId)).toEqual({ isKnown: true, changed: [] });
    expect(await again(randomId("int"))).toEqual({ isKnown: false, changed: [] });
    expect((await read(merchant, payment.reference)).collections).toHaveLength(2);
  });

  test("the exact amount that is attached again to a session that is paid leaves it paid, twice", async () => {
    const merchant = aShop();
    const scope = { id: merchant.id, mode: merchant.mode };
    const payments = [await createPayment(world, merchant), await createPayment(world, merchant)];
    const [before, after] = await Promise.all(
      payments.map(async (payment, place) => {
        // Paid before the session was created, the money is not for it by itself.
        const { posted, reference } = await unmatched(merchant, payment, payment.amount, -600);
        const target = { payment_reference: payment.reference };
        if (place === 0) await attach(merchant, reference, target);
        await pay(aCollectionFor(payment, merchant));
        const names = { merchantReference: null, customerReference: null, customerName: null };
        const match = { paymentReference: payment.reference, ...names, metadata: {} };
        const again = { merchant: scope, intakeId: posted.intakeId, match, at: new Date().toISOString() };
        if (place === 1) await transaction(world.pool, (tx) => attachAgain(tx, again));
        const { status, amount_received } = await read(merchant, payment.reference);
        return { status, twice: amount_received === 2 * payment.amount };
      }),
    );
    expect(after).toEqual(before);
    expect(before).toEqual({ status: "paid", twice: true });
  });

  test("a person is not erased while an event with their name may be on its way", async () => {
    const merchant = aShop();
    const scope = { id: merchant.id, mode: merchant.mode };
    const payment = await createPayment(world, merchant, { customer_name: "Ada Obi" });
    const { posted, reference } = await unmatched(merchant, payment, 2_300);
    await attach(merchant, reference, { payment_reference: payment.reference });
    const erasure = { id: randomId("ers"), merchant: scope, kind: "payer" as const, reference };
    const erase = () =>
      world.others.request(eraseCollections, {
        ...{ erasure: Object({ ...erasure, requested_at: "2026-11-21T10:00:00.000+00:00" }), kind: "payer" as const },
        intake_ids: [posted.intakeId],
      });
    expect(await refusalOf(erase())).toBe("service_unavailable");
  });
});
