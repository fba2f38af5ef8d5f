import { completeTransfer, getBankBalances, reserveTransfer } from "@collect/contracts";
import { transaction } from "@collect/database";
import { randomId } from "@collect/testing";
import { expect, test } from "vitest";
import { restoreBookings } from "../src/store/recovery.ts";
import { collect, fund, useLedger } from "./ledger.ts";
import { aReversal, useReversing } from "./reversing.ts";

/** What the ledger had on the bank at a midnight in Lagos, by when movements count and not by when they were posted. */

const ledger = await useLedger();
const { others, owner, pool } = ledger;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ORDER = {
  ...{ merchant_reference: "payout-1", bank_code: "058", bank_name: "A Bank", account_number: "0123456789" },
  ...{ account_name: "Ada", narration: null, created_at: "2026-11-21T09:30:00.000+00:00" },
};
/** The beginning of a day that has long begun. */
const MIDNIGHT = Math.floor(Date.now() / DAY_MS - 1) * DAY_MS - HOUR_MS;
const at = (ms: number) => new Date(MIDNIGHT + ms).toISOString();
const read = (...before: number[]) =>
  others.request(getBankBalances, { mode: "test", before: before.map((ms) => at(ms)) });

/** Moves the recording of a transaction, and of its entries a moment later. The entries of an account stay in the order of their times. */
async function recordAt(key: string, posted: number, recorded: number): Promise<void> {
  await transaction(owner, async (tx) => {
    await tx.query("set local session_replication_role = replica");
    const { rows } = await tx.query("update transactions set posted_at = $2 where key = $1 returning id", [
      key,
      at(posted),
    ]);
    await tx.query("update entries set recorded_at = $2 where transaction_id = $1", [rows[0].id, at(recorded)]);
  });
}

test("money counts on the day on which it was received, whichever side of midnight it was posted on, a restore's repeats among it", async () => {
  const merchant = randomId("mer");
  const cases = [
    { received: -5_000, posted: -2_000, recorded: -2_000, amount: 1n },
    { received: 1_000, posted: -1_000, recorded: -1_000, amount: 20n },
    { received: -1_000, posted: -1, recorded: 1, amount: 300n },
    { received: -500, posted: 500, recorded: 501, amount: 4_000n },
    { received: 700, posted: 900, recorded: 901, amount: 50_000n },
    { received: -3 * DAY_MS, posted: 6 * HOUR_MS, recorded: 6 * HOUR_MS, amount: 600_000n },
  ].map((one) => ({ ...one, intakeId: randomId("int") }));
  for (const { intakeId, amount, received } of cases)
    await collect(pool, [{ merchant, intakeId, amount, receivedAt: at(received) }]);
  for (const { intakeId, posted, recorded } of cases) await recordAt(intakeId, posted, recorded);
  const { balances, counted } = await read(-DAY_MS, 0, DAY_MS);
  expect(balances).toEqual(["0", "21", "654321"]);
  expect(counted).toEqual(["600000", "604301", "654321"]);
});

test("the outcome of a payout says when it counts, the same when it is repeated, and only if money moved at the bank", async () => {
  const merchant = { id: randomId("mer"), mode: "test" as const };
  await fund(pool, merchant.id);
  const reserved = async () => {
    const transfer = { transfer_id: randomId("trf"), merchant, amount: "100" };
    expect(await others.request(reserveTransfer, transfer)).toEqual({ reserved: true });
    return transfer;
  };
  const [paid, failed] = [await reserved(), await reserved()];
  const complete = (transfer: typeof paid, outcome: "success" | "failed" | "reversed") =>
    others.request(completeTransfer, { ...transfer, outcome });
  const success = await complete(paid, "success");
  expect(Date.parse(success.counted_at ?? "")).toBeGreaterThan(MIDNIGHT);
  const reversed = await complete(paid, "reversed");
  expect(Date.parse(reversed.counted_at ?? "")).toBeGreaterThan(Date.parse(success.counted_at ?? ""));
  expect(await complete(paid, "success")).toEqual(success);
  expect(await complete(paid, "reversed")).toEqual(reversed);
  expect(await complete(failed, "failed")).not.toHaveProperty("counted_at");
});

test("a payout that is booked again after a restore counts on the day on which payments has its ends", async () => {
  const merchant = { id: randomId("mer"), mode: "test" as const };
  await fund(pool, merchant.id);
  const before = await read(-DAY_MS, 0, DAY_MS);
  const ends = { completedAt: at(-1_000), reversedAt: at(1_000) };
  const again = (transferId: string, outcome: "success" | "reversed") =>
    restoreBookings(
      pool,
      { transferId, merchant, amount: 300n },
      { outcome, order: ORDER, context: { shard: 0, notifiedAt: new Date().toISOString(), ends } },
    );
  const [kept, returned] = [randomId("trf"), randomId("trf")];
  for (const outcome of ["success", "success"] as const) expect(await again(kept, outcome)).toBe(true);
  expect(await again(returned, "reversed")).toBe(true);
  const after = await read(-DAY_MS, 0, DAY_MS);
  expect(after.balances).toEqual(before.balances);
  const moved = after.counted?.map((balance, n) => Number(balance) - Number(before.counted?.[n]));
  expect(moved).toEqual([0, -600, -300]);
});

test("what a bank took back counts when accounts received it", async () => {
  const { aCollection, reverse } = await useReversing(ledger);
  const transfer = await aCollection();
  const before = await read(0, DAY_MS);
  await reverse(aReversal(transfer, { amount: 700n, receivedAt: at(-1_000) }));
  const after = await read(0, DAY_MS);
  const moved = after.counted?.map((balance, n) => Number(balance) - Number(before.counted?.[n]));
  expect([moved, after.balances]).toEqual([[-700, -700], before.balances]);
});
