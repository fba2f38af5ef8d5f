import { getBalance, runSettlement } from "@collect/contracts";
import { transaction } from "@collect/database";
import { randomId, until } from "@collect/testing";
import { expect, test } from "vitest";
import { settle } from "../src/store/settlements.ts";
import { balancesOf, collect, faultsOf, settlementsOf, useLedger } from "./ledger.ts";

const ledger = await useLedger();

const aMerchant = (prefix = "mer") => ({ id: randomId(prefix), mode: "test" as const });

const collected = (merchant: { id: string }, amount = 1_000n) =>
  collect(ledger.pool, [{ merchant: merchant.id, amount }]);

const run = async (merchant: { id: string; mode: "test" | "live" }) =>
  (await ledger.others.request(runSettlement, { merchant })).settlement;

const settleAt = (merchant: { id: string; mode: "test" }, cutOff: Date) =>
  transaction(ledger.pool, (tx) => settle(tx, { merchant, cutOff }));

/** When the merchant's last entry was recorded, and an instant after it that has passed. */
async function recorded(merchant: { id: string }) {
  const { rows } = await ledger.owner.query(
    "select extract(epoch from max(recorded_at))::float8 * 1000 as ms from entries where account_id = $1",
    [`test:collected:${merchant.id}`],
  );
  const after = new Date(Math.ceil(rows[0].ms) + 1);
  await until("the clock moved on", () => new Date() > after);
  return { before: new Date(Math.floor(rows[0].ms)), after };
}

test("the operator's run moves all of Collected to Settled in one transaction that records the versions it covers", async () => {
  const merchant = aMerchant();
  await collected(merchant, 1_000n);
  await collected(merchant, 2_000n);
  expect(await run(merchant)).toEqual({
    reference: expect.stringMatching(/^stl_[0-9a-f]{32}$/),
    merchant_id: merchant.id,
    mode: "test",
    currency: "NGN",
    amount: 29.7,
    cut_off: expect.stringMatching(/^\d{4}-.*\+00:00$/),
    from_version: 0,
    to_version: 2,
    transaction_id: expect.stringMatching(/^\d+$/),
    created_at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
  });
  expect(await ledger.others.request(getBalance, { merchant })).toMatchObject({
    collected: 0,
    settled: 29.7,
    ledger_sequence: 4,
  });
});

test("a second run without new money does nothing, and with new money moves only that", async () => {
  const merchant = aMerchant();
  await collected(merchant);
  await run(merchant);
  expect(await run(merchant)).toBeNull();
  await collected(merchant, 3_000n);
  expect(await run(merchant)).toMatchObject({ amount: 29.7, from_version: 1, to_version: 3 });
  expect(await run(merchant)).toBeNull();
  expect(await balancesOf(ledger.owner, `test:collected:${merchant.id}`, `test:settled:${merchant.id}`)).toEqual([
    0n,
    -3_960n,
  ]);
});

test("a merchant without collections has nothing to settle, and settling one mode does not affect the other", async () => {
  const merchant = aMerchant();
  await collected(merchant);
  expect(await run({ ...merchant, mode: "live" })).toBeNull();
  expect(await run(aMerchant())).toBeNull();
  expect(await run(merchant)).toMatchObject({ amount: 9.9 });
});

test("a cut-off covers what was recorded before it and nothing after", async () => {
  const merchant = aMerchant();
  await collected(merchant, 1_000n);
  const first = await recorded(merchant);
  await collected(merchant, 5_000n);
  expect(await settleAt(merchant, first.before)).toBeNull();
  expect(await settleAt(merchant, first.after)).toMatchObject({ amount: 990n, from_version: 0n, to_version: 1n });
  expect(await settleAt(merchant, (await recorded(merchant)).after)).toMatchObject({
    amount: 4_950n,
    from_version: 1n,
  });
});

test("a cut-off that was settled, or an earlier one, settles nothing again", async () => {
  const merchant = aMerchant();
  await collected(merchant);
  const { before, after } = await recorded(merchant);
  expect(await settleAt(merchant, after)).toMatchObject({ amount: 990n });
  expect(await settleAt(merchant, after)).toBeNull();
  expect(await settleAt(merchant, before)).toBeNull();
  expect(await settlementsOf(ledger.owner, merchant)).toEqual([[0, 1, 2, 990]]);
});

test("a settlement that ran late is excluded from the sums of later ones", async () => {
  const merchant = aMerchant();
  const cutOffs: Date[] = [];
  for (const amount of [1_000n, 2_000n, 3_000n]) {
    await collected(merchant, amount);
    cutOffs.push((await recorded(merchant)).after);
  }
  for (const cutOff of cutOffs) await settleAt(merchant, cutOff);
  await collected(merchant, 4_000n);
  await run(merchant);
  // Entries 4, 5 and 6 of Collected are the three settlements themselves.
  expect(await settlementsOf(ledger.owner, merchant)).toEqual([
    [0, 1, 4, 990],
    [1, 2, 5, 1_980],
    [2, 3, 6, 2_970],
    [3, 7, 8, 3_960],
  ]);
});

test("fifty concurrent runs settle once", async () => {
  const merchant = aMerchant();
  await collected(merchant);
  const { after } = await recorded(merchant);
  const atOnce = await Promise.all(
    Array.from({ length: 50 }, (_, i) => (i % 2 ? run(merchant) : settleAt(merchant, after))),
  );
  expect(atOnce.filter((settlement) => settlement !== null)).toHaveLength(1);
  expect(await settlementsOf(ledger.owner, merchant)).toMatchObject([[0, 1, 2, 990]]);
});

test("a cut-off in the future is refused, by the settlement and by the table", async () => {
  const merchant = aMerchant();
  await collected(merchant);
  await expect(settleAt(merchant, new Date(Date.now() + 60_000))).rejects.toThrow("is in the future");
  const ahead = ledger.owner.query(
    `insert into settlements (reference, merchant_id, mode, cut_off, from_version, to_version, entry_version, amount, transaction_id)
     values ($1, $2, 'test', now() + interval '1 hour', 0, 1, 2, 990, 1)`,
    [randomId("stl"), merchant.id],
  );
  await expect(ahead).rejects.toThrow("settlements_cut_off_has_come");
  expect(await run(merchant)).toMatchObject({ amount: 9.9 });
});

test("at the end every sum, chain and balance is intact", async () => {
  expect(await faultsOf(ledger.owner)).toEqual([]);
});
