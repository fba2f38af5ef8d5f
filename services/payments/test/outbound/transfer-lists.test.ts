import {
  type Actor,
  browseTransfers,
  createTransfer,
  listTransfers,
  type MerchantScope,
  showTransfer,
  sumTransfers,
  type WireInput,
} from "@collect/contracts";
import { transaction } from "@collect/database";
import { aMerchant, until } from "@collect/testing";
import { expect, test } from "vitest";
import { readAllPages } from "../paging.ts";
import { aFundedMerchant, anOrder, send, testAccount, untilStatus } from "./transfers-world.ts";
import { useTransfers } from "./use-transfers.ts";

const { world, ledger } = await useTransfers();

type Given = Partial<Omit<WireInput<typeof browseTransfers>, "merchant">>;
const browse = (merchant: MerchantScope, given: Given = {}) =>
  world.others.request(browseTransfers, { merchant, ...given });
const listed = async (merchant: MerchantScope, given: Given = {}) =>
  (await browse(merchant, given)).data.map(({ reference }) => reference);
const list = (merchant: MerchantScope, given: Omit<WireInput<typeof listTransfers>, "merchant"> = {}) =>
  world.others.request(listTransfers, { merchant: { ...merchant, name: "Ada Stores" }, ...given });
const show = (merchant: MerchantScope, reference: string) =>
  world.others.request(showTransfer, { merchant, reference });

/** A merchant with a transfer that succeeded and, after it, one that failed. */
async function aMerchantWithTwo() {
  const merchant = aFundedMerchant(ledger);
  const paid = (await send(world, merchant, anOrder({ reference: "order-1" }))).transfer;
  const shown = await untilStatus(world, merchant, paid.reference, "success");
  const failed = (await send(world, merchant, anOrder({ account_number: testAccount(2) }))).transfer;
  await untilStatus(world, merchant, failed.reference, "failed");
  return { merchant, paid: shown, failed };
}

test("transfers are listed newest first, and filtered by status, time span and search", async () => {
  const { merchant, paid, failed } = await aMerchantWithTwo();
  const { data, next } = await browse(merchant);
  expect(next).toBeNull();
  expect(data.map(({ reference }) => reference)).toEqual([failed.reference, paid.reference]);
  const { metadata: _, ...shown } = paid;
  expect(data[1]).toEqual(shown);
  expect(await listed(merchant, { status: "success" })).toEqual([paid.reference]);
  expect(await listed(merchant, { status: "reversed" })).toEqual([]);
  for (const search of [paid.reference, "order-1", paid.account_number])
    expect(await listed(merchant, { search })).toEqual([paid.reference]);
  expect(await listed(merchant, { search: "order-1", status: "failed" })).toEqual([]);
  for (const search of ["ord", String(paid.amount), paid.account_name])
    expect(await listed(merchant, { search }), search).toContain(paid.reference);
  for (const search of ["rder-1", "ORDER-1", "%"]) expect(await listed(merchant, { search })).toEqual([]);
  expect(await listed(merchant, { amount_from: String(paid.amount), references: paid.reference })).toEqual([
    paid.reference,
  ]);
  expect(await listed(merchant, { amount_to: "0.01" })).toEqual([]);
  const sum = async ({ id, mode }: MerchantScope, given = {}) =>
    (await world.others.request(sumTransfers, { merchant: { id, mode }, ...given })).totals;
  expect(await sum(merchant)).toEqual({ count: 2, amount: paid.amount + failed.amount });
  expect(await sum(merchant, { search: "order-1" })).toEqual({ count: 1, amount: paid.amount });
  for (const other of [aMerchant(), { ...merchant, mode: "live" as const }])
    expect(await sum(other)).toMatchObject({ count: 0 });
  await expect(browse(merchant, { amount_from: "ten" })).rejects.toMatchObject({ code: "validation_failed" });
  expect(await listed(merchant, { before: failed.created_at })).toEqual([paid.reference]);
  expect(await listed(merchant, { from: failed.created_at })).toEqual([failed.reference]);
});

test("transfers to an account are those with exactly its number and bank, also while one may still be reserved", async () => {
  const { merchant, paid, failed } = await aMerchantWithTwo();
  const { account_number, bank_code } = paid;
  expect(await listed(merchant, { account_number })).toEqual([paid.reference]);
  expect(await listed(merchant, { account_number, bank_code, status: "success" })).toEqual([paid.reference]);
  expect(await listed(merchant, { account_number: failed.account_number })).toEqual([failed.reference]);
  for (const narrowed of [{ status: "failed" }, { bank_code: "058" }, { search: failed.reference }] as Given[])
    expect(await listed(merchant, { account_number, ...narrowed })).toEqual([]);
  const { totals } = await world.others.request(sumTransfers, { merchant, account_number });
  expect(totals).toEqual({ count: 1, amount: paid.amount });
  for (const other of [aMerchant(), { ...merchant, mode: "live" as const }])
    expect(await listed(other, { account_number })).toEqual([]);
  for (const part of [account_number.slice(0, 9), `${account_number}0`, "Ada"])
    await expect(browse(merchant, { account_number: part })).rejects.toMatchObject({
      code: "validation_failed",
      errors: [{ param: "account_number" }],
    });

  ledger.isDown = true;
  await expect(send(world, merchant, anOrder({ reference: "order-5" }))).rejects.toMatchObject({
    code: "service_unavailable",
  });
  const { data } = await browse(merchant, { account_number, status: "pending" });
  expect(data).toMatchObject([{ merchant_reference: "order-5" }]);
  // The rows of this list, as they are selected for an export.
  expect(await listed(merchant, { references: [data[0]?.reference, paid.reference].join() })).toHaveLength(2);
  ledger.isDown = false;
});

test("paging returns each transfer once, even while others are created", async () => {
  const merchant = aFundedMerchant(ledger);
  const known: string[] = [];
  for (let n = 0; n < 7; n++) known.unshift((await send(world, merchant, anOrder())).transfer.reference);
  const found = await readAllPages(
    (after) => browse(merchant, { limit: 2, after }),
    () => send(world, merchant, anOrder()),
  );
  expect(found.map(({ reference }) => reference)).toEqual(known);
});

test("a merchant's server lists transfers page by page, unmoved by new ones, and not behind a page and at an offset at once", async () => {
  const merchant = aFundedMerchant(ledger);
  const known: string[] = [];
  for (let n = 0; n < 5; n++) known.unshift((await send(world, merchant, anOrder())).transfer.reference);
  const found = await readAllPages(
    (after) => list(merchant, { limit: 2, after }),
    () => send(world, merchant, anOrder()),
  );
  expect(found.map(({ reference }) => reference)).toEqual(known);
  const { next } = await list(merchant, { limit: 1 });
  const refused = list(merchant, { after: next ?? "", offset: 1 });
  await expect(refused).rejects.toMatchObject({ code: "validation_failed", errors: [{ param: "offset" }] });
  const foreign = { code: "validation_failed", errors: [{ param: "after", code: "invalid" }] };
  for (const other of [aFundedMerchant(ledger), { ...merchant, mode: "live" as const }])
    await expect(list(other, { after: next ?? "" })).rejects.toMatchObject(foreign);
});

test("a merchant's server finds a transfer by its own reference or ours: no other's, and also one that may still be reserved", async () => {
  const { merchant, paid } = await aMerchantWithTwo();
  const found = async (of: MerchantScope, given: object) => (await list(of, given)).data;
  expect(await found(merchant, { reference: "order-1" })).toEqual([paid]);
  expect(await found(merchant, { reference: "order-1", status: "success" })).toEqual([paid]);
  expect(await found(merchant, { reference: "order-1", status: "failed" })).toEqual([]);
  expect(await found(merchant, { reference: paid.reference })).toEqual([paid]);
  for (const reference of ["order", "ORDER-1", paid.reference.toUpperCase(), "\u0000"])
    expect(await found(merchant, { reference })).toEqual([]);
  for (const other of [aMerchant(), { ...merchant, mode: "live" as const }])
    for (const reference of ["order-1", paid.reference]) expect(await found(other, { reference })).toEqual([]);

  ledger.isDown = true;
  await expect(send(world, merchant, anOrder({ reference: "order-4" }))).rejects.toMatchObject({
    code: "service_unavailable",
  });
  expect(await found(merchant, { reference: "order-4" })).toMatchObject([{ status: "pending" }]);
  ledger.isDown = false;
});

test("a transfer is shown with the key or the member who ordered it first, whoever repeats the order", async () => {
  const merchant = { ...aFundedMerchant(ledger), name: "Ada Stores" };
  const key: Actor = { kind: "key", key: "rk_test_…3xYz", name: "Payroll" };
  const member: Actor = { kind: "member", user_id: "usr_1", email: "ada@example.com" };
  const order = { merchant, ...anOrder({ reference: "payroll-1" }) };
  const { transfer } = await world.others.request(createTransfer, order, { actor: key });
  await world.others.request(createTransfer, order, { actor: member });
  expect((await show(merchant, transfer.reference)).ordered_by).toEqual(key);
  const other = await world.others.request(createTransfer, { merchant, ...anOrder() }, { actor: member });
  expect((await show(merchant, other.transfer.reference)).ordered_by).toEqual(member);
});

test("a refused transfer is not listed", async () => {
  const merchant = aMerchant();
  ledger.claims = 100_000_000n;
  await expect(send(world, merchant, anOrder({ reference: "order-2" }))).rejects.toThrow("insufficient_balance");
  ledger.claims = undefined;
  for (const search of [undefined, "order-2"]) expect(await listed(merchant, { search })).toEqual([]);
});

test("an order that may still be reserved is found by its reference, though it is not in the list", async () => {
  const merchant = aFundedMerchant(ledger);
  ledger.isDown = true;
  await expect(send(world, merchant, anOrder({ reference: "order-3" }))).rejects.toMatchObject({
    code: "service_unavailable",
  });
  const { data } = await browse(merchant, { search: "order-3" });
  expect(data).toMatchObject([{ merchant_reference: "order-3", status: "pending" }]);
  expect((await show(merchant, data[0]?.reference ?? "")).transfer).toEqual({ ...data[0], metadata: {} });
  expect(await listed(merchant)).toEqual([]);
});

test("a list that takes too long is temporarily unavailable, and not a fault of ours", async () => {
  const { merchant, paid } = await aMerchantWithTwo();
  await transaction(world.owner, async (tx) => {
    await tx.query("lock table transfers");
    const readings = await Promise.allSettled([browse(merchant), show(merchant, paid.reference)]);
    const unavailable = { status: "rejected", reason: { code: "service_unavailable" } };
    expect(readings).toMatchObject([unavailable, unavailable]);
  });
  expect(await listed(merchant, { search: paid.reference })).toEqual([paid.reference]);
});

test("a transfer is returned with the times of its steps", async () => {
  const merchant = aFundedMerchant(ledger);
  const { transfer } = await send(world, merchant, anOrder({ account_number: testAccount(5) }));
  const reversed = await until("reversed", async () => {
    const shown = await show(merchant, transfer.reference);
    return shown.transfer.status === "reversed" && shown;
  });
  expect(reversed.transfer.reference).toBe(transfer.reference);
  expect(reversed.reversed_at).toBe(reversed.transfer.completed_at);
  expect(Date.parse(reversed.sent_at ?? "")).toBeGreaterThanOrEqual(Date.parse(transfer.created_at));
});

test("a transfer is visible only to its merchant, in its mode, by its reference", async () => {
  const { merchant, paid } = await aMerchantWithTwo();
  for (const other of [aMerchant(), { ...merchant, mode: "live" as const }]) {
    for (const search of [undefined, paid.reference, "order-1", paid.account_number])
      expect(await browse(other, { search })).toMatchObject({ data: [], next: null });
    await expect(show(other, paid.reference)).rejects.toMatchObject({ code: "not_found" });
  }
  for (const unknown of ["trf_unknown", "\u0000"])
    await expect(show(merchant, unknown)).rejects.toMatchObject({ code: "not_found" });
});
