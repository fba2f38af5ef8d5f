import { nuban } from "@collect/bank";
import {
  allocateTransfer,
  getCompletenessProof,
  getLedgerProof,
  listExceptions,
  runSettlement,
  setFeeSchedule,
  setSettlementSchedule,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";

const Fields = z.record(z.string(), z.unknown());
const stack = await sharedStack();

async function aShop() {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const collect = async (amount: number) =>
    expect((await api.post("/sandbox/pay", { outcome: "paid", amount })).status).toBe(200);
  const balance = async () => (await api.get("/balance")).body;
  const scope = { id: merchant.id, mode: "test" } as const;
  return { merchant, api, collect, balance, scope };
}

test("a settlement moves all collected money, returns the range it covers, and does nothing the second time", async () => {
  const { collect, balance, scope, merchant } = await aShop();
  await collect(100);
  await collect(200);
  const { settlement } = await stack.bus.request(runSettlement, { merchant: scope });
  expect(settlement).toMatchObject({
    merchant_id: merchant.id,
    mode: "test",
    currency: "NGN",
    amount: 297,
    from_version: 0,
    to_version: 2,
  });
  expect(await balance()).toMatchObject({ collected: 0, settled: 297, ledger_sequence: 4 });
  expect(await stack.bus.request(runSettlement, { merchant: scope })).toEqual({ settlement: null });
  await collect(50);
  expect(await balance()).toMatchObject({ collected: 49.5, settled: 297 });
  const again = await stack.bus.request(runSettlement, { merchant: scope });
  expect(again.settlement).toMatchObject({ amount: 49.5 });
  expect(await balance()).toMatchObject({ collected: 0, settled: 346.5 });
});

test("money that was allocated later is settled under the reference of its collection", async () => {
  const { merchant } = await aShop();
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  await api.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  const account_number = nuban({ bankCode: "729", serial: "000000042" });
  await reportTransfer(stack.bankDoor, aBankTransfer({ account_number, amount: 500 }));
  const unallocated = await until("the transfer is unallocated", async () => {
    const { unallocated } = await stack.bus.request(listExceptions, {});
    return unallocated.find((transfer) => transfer.account_number === account_number);
  });
  const scope = { id: merchant.id, mode: "live" as const };
  const given = { intake_id: unallocated.intake_id, merchant: scope, customer_reference: "cust_42" };
  await until("it is allocated", () => stack.bus.request(allocateTransfer, given).then(Boolean, () => false));
  const [delivery] = await merchant.untilReceived("live", 1);
  const reference = Fields.parse(delivery?.body.data).reference;
  const { settlement } = await stack.bus.request(runSettlement, { merchant: scope });
  const { body } = await api.get(`/settlements/${settlement?.reference}`);
  expect(body).toMatchObject({ amount: 495, totals: { amount: 500, fee: 5, net: 495 } });
  expect(body.lines).toMatchObject({ data: [{ kind: "allocation", collection_reference: reference, net: 495 }] });
  const { body: settled } = await api.get(`/collections?settlement_id=${settlement?.reference}`);
  expect(settled.data).toMatchObject([{ reference }]);
});

test("settling one mode does not affect the other", async () => {
  const { collect, balance, merchant } = await aShop();
  await collect(100);
  const live = { id: merchant.id, mode: "live" } as const;
  expect(await stack.bus.request(runSettlement, { merchant: live })).toEqual({ settlement: null });
  expect(await balance()).toMatchObject({ collected: 99, settled: 0 });
});

test("a merchant's own fee applies to later collections", async () => {
  const { collect, balance, merchant } = await aShop();
  await stack.bus.request(setFeeSchedule, { merchant_id: merchant.id, basis_points: 250 });
  await collect(100);
  expect(await balance()).toMatchObject({ collected: 97.5 });
});

test("an invalid settlement schedule is refused", async () => {
  const { merchant } = await aShop();
  const schedule = { merchant_id: merchant.id, delay_days: 2, at: "07:30" };
  expect(await stack.bus.request(setSettlementSchedule, schedule)).toEqual(schedule);
  for (const wrong of [
    { ...schedule, delay_days: 0 },
    { ...schedule, at: "25:00" },
  ])
    await expect(stack.bus.request(setSettlementSchedule, wrong)).rejects.toMatchObject({ code: "validation_failed" });
});

test("the self-audit proves sums and chains, and that every transfer reached every service", async () => {
  const { collect } = await aShop();
  await collect(100);
  const since = new Date().toISOString();
  const ledger = await until("the ledger has a new proof", async () => {
    const proof = await stack.bus.request(getLedgerProof, {});
    return (proof.proven_at ?? "") > since && proof;
  });
  expect(ledger).toMatchObject({
    holds: true,
    differences: [],
    modes: expect.arrayContaining([expect.objectContaining({ sum: "0" })]),
  });
  const completeness = await until(
    "the minutes are compared",
    async () => {
      const proof = await stack.bus.request(getCompletenessProof, {});
      return proof.proven_at && proof;
    },
    60_000,
  );
  expect(completeness).toMatchObject({ differences: [], unfinished: [] });
});
