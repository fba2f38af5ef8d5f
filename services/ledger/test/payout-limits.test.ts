import {
  completeTransfer,
  getPayoutLimits,
  reserveTransfer,
  setOwnPayoutLimits,
  setPayoutLimits,
  type WireInput,
} from "@collect/contracts";
import { transaction } from "@collect/database";
import { randomId } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { fund, useLedger } from "./ledger.ts";

const ledger = await useLedger({ replicas: 2 });
/** A merchant with ₦99 in Settled. */
let merchant: { id: string; mode: "test" };

beforeEach(async () => {
  merchant = { id: randomId("mer"), mode: "test" };
  await fund(ledger.pool, merchant.id);
});

const order = (kobo: number, of = merchant) => ({ transfer_id: randomId("trf"), merchant: of, amount: String(kobo) });
const reserve = (transfer: WireInput<typeof reserveTransfer>) => ledger.others.request(reserveTransfer, transfer);
const NONE = { transfer_max: null, day_max: null, approval_above: null };
type Limits = Partial<Omit<WireInput<typeof setPayoutLimits>, "merchant_id">>;
const byOperator = (limits: Limits) =>
  ledger.others.request(setPayoutLimits, { merchant_id: merchant.id, ...NONE, ...limits });
const byMerchant = (limits: Limits) =>
  ledger.others.request(setOwnPayoutLimits, { merchant_id: merchant.id, ...NONE, ...limits });
const read = () => ledger.others.request(getPayoutLimits, { merchant_id: merchant.id });
/** The rows are never changed: a delay passes by inserting a row as it would be then. */
const passADay = () =>
  transaction(ledger.owner, async (tx) => {
    await tx.query("set local session_replication_role = replica");
    await tx.query(
      "update payout_limits set effective_at = effective_at - interval '25 hours' where merchant_id = $1",
      [merchant.id],
    );
  });

test("a transfer of the limit passes, one of a kobo more does not, and a repeat gets the same response", async () => {
  await byOperator({ transfer_max: 40 });
  expect(await reserve(order(4_000))).toEqual({ reserved: true });
  const refused = order(4_001);
  expect(await reserve(refused)).toEqual({ reserved: false, refusal: "transfer_limit" });
  await byOperator({});
  expect(await reserve(refused)).toEqual({ reserved: false, refusal: "transfer_limit" });
});

test("a low balance is told apart from a limit", async () => {
  expect(await reserve(order(9_901))).toEqual({ reserved: false, refusal: "balance", settled: "9900" });
});

test("orders of one day, sent at once to two replicas, never exceed the limit of a day", async () => {
  await byOperator({ day_max: 50 });
  const decisions = await Promise.all(Array.from({ length: 20 }, () => reserve(order(1_000))));
  expect(decisions.filter(({ reserved }) => reserved)).toHaveLength(5);
  expect(decisions.filter(({ refusal }) => refusal === "day_limit")).toHaveLength(15);
  expect((await read()).ordered_today).toEqual({ test: 50, live: 0 });
});

test("what failed no longer counts on its day, however often its failure is reported; what was paid does", async () => {
  await byOperator({ day_max: 60 });
  const [failed, paid] = [order(3_000), order(3_000)];
  await reserve(failed);
  await reserve(paid);
  expect(await reserve(order(1))).toMatchObject({ refusal: "day_limit" });
  await Promise.all(
    [failed, failed].map((each) => ledger.others.request(completeTransfer, { ...each, outcome: "failed" })),
  );
  await ledger.others.request(completeTransfer, { ...failed, outcome: "failed" });
  await ledger.others.request(completeTransfer, { ...paid, outcome: "success" });
  expect((await read()).ordered_today.test).toBe(30);
  expect(await reserve(order(3_001))).toMatchObject({ refusal: "day_limit" });
  expect(await reserve(order(3_000))).toEqual({ reserved: true });
});

test("the limits of another day start at zero", async () => {
  await byOperator({ day_max: 50 });
  await reserve(order(5_000));
  await ledger.owner.query("update payout_days set day = day - 1 where merchant_id = $1", [merchant.id]);
  expect(await reserve(order(4_900))).toEqual({ reserved: true });
});

test("above the threshold a transfer is reserved and needs approval; a repeat says the same after the threshold changed", async () => {
  await byMerchant({ approval_above: 20 });
  expect(await reserve(order(2_000))).toEqual({ reserved: true });
  const large = order(2_001);
  expect(await reserve(large)).toEqual({ reserved: true, approval_required: true });
  await byOperator({ approval_above: 50 });
  expect(await reserve(large)).toEqual({ reserved: true, approval_required: true });
});

test("a merchant's own limits are bounded by the operator's", async () => {
  await byOperator({ transfer_max: 30, day_max: 60 });
  const { limits } = await byMerchant({ transfer_max: 80, day_max: 40 });
  expect(limits).toEqual({ transfer_max: 30, day_max: 40, approval_above: null });
  expect(await reserve(order(3_001))).toMatchObject({ refusal: "transfer_limit" });
});

test("a stricter limit applies at once, one that allows more a day later, and a stricter one cancels it", async () => {
  await byMerchant({ transfer_max: 20 });
  const loosened = await byMerchant({ transfer_max: 90 });
  expect(loosened).toMatchObject({ limits: { transfer_max: 20 }, upcoming: { transfer_max: 90 } });
  expect(await reserve(order(2_001))).toMatchObject({ reserved: false });
  await passADay();
  expect(await read()).toMatchObject({ limits: { transfer_max: 90 }, upcoming: null });
  expect(await reserve(order(2_001))).toEqual({ reserved: true });

  await byMerchant({ transfer_max: 95 });
  expect(await byMerchant({ transfer_max: 10 })).toMatchObject({ limits: { transfer_max: 10 }, upcoming: null });
  await passADay();
  expect((await read()).limits.transfer_max).toBe(10);
});

test("a change that was replaced before it took effect never does", async () => {
  await byMerchant({ transfer_max: 20 });
  await byMerchant({});
  await byMerchant({ transfer_max: 25 });
  // A day after the first change, and not yet a day after the second.
  await transaction(ledger.owner, async (tx) => {
    await tx.query("set local session_replication_role = replica");
    await tx.query(
      `update payout_limits set created_at = created_at - interval '25 hours', effective_at = effective_at - interval '25 hours'
       where merchant_id = $1 and id < (select max(id) - 1 from payout_limits where merchant_id = $1)`,
      [merchant.id],
    );
  });
  expect(await read()).toMatchObject({ limits: { transfer_max: 20 }, upcoming: { transfer_max: 25 } });
  expect(await reserve(order(2_001))).toMatchObject({ reserved: false });
});

test("in one change, what is stricter applies at once and what allows more a day later", async () => {
  await byMerchant({ transfer_max: 20, day_max: 90 });
  const changed = await byMerchant({ transfer_max: 60, day_max: 30 });
  expect(changed).toMatchObject({
    limits: { transfer_max: 20, day_max: 30 },
    upcoming: { transfer_max: 60, day_max: 30 },
  });
});

test("the limits of one merchant say nothing about another", async () => {
  await byOperator({ transfer_max: 0 });
  const other = { id: randomId("mer"), mode: "test" as const };
  await fund(ledger.pool, other.id);
  expect(await reserve(order(9_900, other))).toEqual({ reserved: true });
});

test("a limit is never changed or removed, only replaced", async () => {
  await byOperator({ transfer_max: 1 });
  for (const change of ["update payout_limits set transfer_max = null", "delete from payout_limits"]) {
    await expect(ledger.pool.query(change)).rejects.toThrow("permission denied");
    await expect(ledger.owner.query(change)).rejects.toThrow("what is posted stays as it is");
  }
});
