import { expect, test } from "vitest";
import type { Settlement } from "../store/settlements.ts";
import { createSettlementSums, withinSums } from "./sum-settlements.ts";

const settlement = (from: bigint, to: bigint, amount = 99n): Settlement => ({
  ...{ reference: "stl_1", merchant_id: "mer_1", mode: "live", transaction_id: "1" },
  ...{ cut_off: "2026-11-21T23:00:00.000+00:00", created_at: "2026-11-22T05:00:00.000+00:00" },
  ...{ from_version: from, to_version: to, amount },
});

test("a settlement is summed once, until a restored ledger settles another range under its reference", async () => {
  const summed: bigint[] = [];
  const sums = createSettlementSums(async (_merchant, [, to]) => {
    summed.push(to);
    return { gross: 100n, fee: 1n, covered: 0n, amount: 99n };
  });
  const totals = { amount: 100n, fee: 1n, net: 99n };
  expect(await Promise.all([sums(settlement(0n, 5n)), sums(settlement(0n, 5n))])).toEqual([totals, totals]);
  expect(await sums(settlement(0n, 6n))).toEqual(totals);
  expect(summed).toEqual([5n, 6n]);
  await expect(sums(settlement(0n, 5n, 98n))).rejects.toThrow("come to 99 kobo, and it settled 98");
});

test("a page of settlements sums a million entries, or one settlement of any size", () => {
  const [small, large] = [settlement(0n, 400_000n), settlement(0n, 5_000_000n)];
  expect(withinSums([])).toBe(0);
  expect(withinSums([small, small])).toBe(2);
  expect(withinSums([small, small, small])).toBe(2);
  expect(withinSums([large, small])).toBe(1);
});

test("a quarter's settlements can be read at once, and what would wait behind a hundred is refused as settlements", async () => {
  const held = Promise.withResolvers<void>();
  const sums = createSettlementSums(async () => {
    await held.promise;
    return { gross: 100n, fee: 1n, covered: 0n, amount: 99n };
  });
  const read = Array.from({ length: 101 }, (_, n) => sums(settlement(BigInt(n), BigInt(n) + 1n)));
  await expect(sums(settlement(200n, 201n))).rejects.toMatchObject({
    code: "service_unavailable",
    message: expect.stringContaining("Too many settlements at once"),
  });
  held.resolve();
  expect(await Promise.all(read)).toHaveLength(101);
});
