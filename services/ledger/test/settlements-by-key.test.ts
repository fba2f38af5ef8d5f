import { answer, serveRequests } from "@collect/bus";
import {
  listSettlements,
  readCollections,
  readSettlement,
  runSettlement,
  settlementsOfCollections,
  settleTestMoney,
} from "@collect/contracts";
import { transaction } from "@collect/database";
import { aTransfer, randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { collectionTransaction } from "../src/domain/collection.ts";
import { postBatch } from "../src/store/post-batch.ts";
import { collect, useLedger } from "./ledger.ts";
import { aReversal, useReversing } from "./reversing.ts";

const ledger = await useLedger();
const { aCollection, reverse, settleAll } = await useReversing(ledger);

/** Payments has recorded these, by intake id. */
const references = new Map<string, string>();
const AT = "2026-11-21T09:30:00.000+00:00";
const aRecord = {
  ...{ amount: 0n, fee: 0n, net: 0n, currency: "NGN" as const, customer_reference: null, customer_name: null },
  ...{ account_number: "0123456789", payer: { id: "1", name: "", account_number: null, bank_name: null } },
  ...{ payment_reference: null, merchant_reference: null, mode: "test" as const },
  ...{ paid_at: AT, received_at: AT, created_at: AT, attached_at: null },
};
const payments = [
  answer(readCollections, async ({ intake_ids }) => ({
    collections: intake_ids.flatMap((intake_id) => {
      const reference = references.get(intake_id);
      return reference === undefined ? [] : [{ ...aRecord, intake_id, reference }];
    }),
  })),
];
await serveRequests(ledger.others, { service: "payments", log: ledger.log, requests: payments }).start();

const aMerchant = () => ({ id: randomId("mer"), mode: "test" as const });
type Merchant = { id: string; mode: "test" | "live" };
const list = (merchant: Merchant, page: { limit?: number; after?: string } = {}) =>
  ledger.others.request(listSettlements, { merchant, ...page });
const read = (merchant: Merchant, id: string, page: { limit?: number; after?: string } = {}) =>
  ledger.others.request(readSettlement, { merchant, id, ...page });

async function settled(merchant: Merchant, amounts: bigint[]) {
  // One batch is posted in the order of its keys.
  const keys = amounts.map(() => randomId("int")).sort();
  await collect(
    ledger.pool,
    amounts.map((amount, index) => ({ merchant: merchant.id, intakeId: keys[index], amount })),
  );
  const { settlement } = await ledger.others.request(runSettlement, { merchant });
  return { keys, id: settlement?.reference ?? "" };
}

test("settlements are listed latest first, page by page", async () => {
  const merchant = aMerchant();
  const ids = [];
  for (const amount of [100n, 200n, 300n]) ids.unshift((await settled(merchant, [amount])).id);
  const page = await list(merchant, { limit: 2 });
  expect(page).toMatchObject({ limit: 2, has_more: true, mode: "test" });
  const last = await list(merchant, { after: page.next ?? "" });
  expect(last).toMatchObject({ has_more: false, next: null });
  expect([...page.data, ...last.data].map(({ id }) => id)).toEqual(ids);
  expect(Object.keys(page.data[0] ?? {}).sort()).toEqual(["amount", "created_at", "currency", "cut_off", "id", "mode"]);
});

test("a settlement has its lines with the references of its collections, page by page, and they add up to it", async () => {
  const merchant = aMerchant();
  const { keys, id } = await settled(merchant, [10_000n, 20_000n, 30_000n]);
  for (const [index, key] of keys.slice(0, 2).entries()) references.set(key, `col_${index}`);
  const { amount, totals, lines } = await read(merchant, id);
  expect(lines).toMatchObject({ limit: 20, has_more: false, next: null });
  expect(lines.data).toMatchObject([
    { kind: "collection", collection_reference: "col_0", amount: 100, fee: 1, net: 99 },
    { kind: "collection", collection_reference: "col_1", amount: 200, fee: 2, net: 198 },
    { kind: "collection", collection_reference: null, amount: 300, fee: 3, net: 297 },
  ]);
  expect(amount).toBe(594);
  expect(totals).toEqual({ amount: 600, fee: 6, net: 594 });
  const first = (await read(merchant, id, { limit: 2 })).lines;
  const second = (await read(merchant, id, { limit: 2, after: first.next ?? "" })).lines;
  expect([...first.data, ...second.data]).toEqual(lines.data);
  const { id: later } = await settled(merchant, [10_000n, 20_000n]);
  const ofAnother = read(merchant, later, { after: first.next ?? "" });
  await expect(ofAnother).rejects.toMatchObject({ code: "validation_failed", errors: [{ param: "after" }] });
});

test("what was allocated to a merchant later is a line under the reference of its collection", async () => {
  const merchant = aMerchant();
  const transfer = aTransfer({ merchant, amount: 20_000n, fundedBy: "suspense" });
  references.set(transfer.intakeId, "col_allocated");
  await transaction(ledger.pool, (tx) =>
    postBatch(tx, [collectionTransaction({ transfer, feeBasisPoints: 100, shard: 0 })]),
  );
  const { settlement } = await ledger.others.request(runSettlement, { merchant });
  const { lines, totals } = await read(merchant, settlement?.reference ?? "");
  expect(lines.data).toMatchObject([{ kind: "allocation", collection_reference: "col_allocated", net: 198 }]);
  expect(totals).toEqual({ amount: 200, fee: 2, net: 198 });
});

test("what a bank took back is a line under the reference of its collection, and what Settled covered of it under none", async () => {
  const merchant = aMerchant();
  const transfer = await aCollection(merchant);
  references.set(transfer.intakeId, "col_reversed");
  await settleAll(merchant);
  await reverse(aReversal(transfer));
  await collect(ledger.pool, [{ merchant: merchant.id, amount: 20_000n }]);
  const { settlement } = await settleAll(merchant);
  const { lines } = await read(merchant, settlement?.reference ?? "");
  expect(lines.data).toMatchObject([
    { kind: "collection_reversal", collection_reference: "col_reversed", net: -990 },
    { kind: "cover", collection_reference: null, net: 990 },
    { kind: "collection", net: 198 },
  ]);
});

test("a settlement whose lines do not come to its amount is not shown as if they did", async () => {
  const merchant = aMerchant();
  const { id } = await settled(merchant, [10_000n]);
  await ledger.owner.query("alter table settlements disable trigger user");
  await ledger.owner.query("update settlements set amount = amount + 1 where reference = $1", [id]);
  await ledger.owner.query("alter table settlements enable trigger user");
  await expect(read(merchant, id)).rejects.toMatchObject({ code: "internal_error" });
});

test("test money is settled on request, once however often; live money is not", async () => {
  const merchant = aMerchant();
  await collect(ledger.pool, [{ merchant: merchant.id, amount: 10_000n }]);
  const settleNow = (of: Merchant = merchant) => ledger.others.request(settleTestMoney, { merchant: of });
  const outcomes = await Promise.all([settleNow(), settleNow(), settleNow()]);
  expect(outcomes.flatMap(({ settlement }) => settlement?.amount ?? [])).toEqual([99]);
  expect(await settleNow()).toEqual({ settlement: null, mode: "test" });
  expect((await list(merchant)).data).toHaveLength(1);
  await expect(settleNow({ ...merchant, mode: "live" })).rejects.toMatchObject({ code: "test_key_required" });
});

test("a settlement of another merchant or mode is neither listed nor found", async () => {
  const merchant = aMerchant();
  const { id } = await settled(merchant, [100n]);
  for (const stranger of [aMerchant(), { ...merchant, mode: "live" as const }]) {
    expect((await list(stranger)).data).toEqual([]);
    for (const asked of [id, "stl_none", ""])
      await expect(read(stranger, asked)).rejects.toMatchObject({ code: "not_found" });
  }
});

test("the settlement of a collection is named to its merchant once there is one, and to no other", async () => {
  const merchant = aMerchant();
  const [key, later] = [randomId("int"), randomId("int")];
  const named = async (to: Merchant) => {
    const asked = { merchant: to, intake_ids: [key, later, "int_none"] };
    return (await ledger.others.request(settlementsOfCollections, asked)).settlements;
  };
  await collect(ledger.pool, [{ merchant: merchant.id, intakeId: key, amount: 100n }]);
  expect(await named(merchant)).toEqual([]);
  const settlement = (await ledger.others.request(runSettlement, { merchant })).settlement;
  await collect(ledger.pool, [{ merchant: merchant.id, intakeId: later, amount: 100n }]);
  expect(await named(merchant)).toEqual([{ intake_id: key, reference: settlement?.reference }]);
  for (const stranger of [aMerchant(), { ...merchant, mode: "live" as const }])
    expect(await named(stranger)).toEqual([]);
});
