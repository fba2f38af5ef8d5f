import { aTransfer } from "@collect/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collectionTransaction } from "./collection.ts";
import { coverTransaction, feeOfPart, reversalTransaction, suspenseReversalTransaction } from "./reversal.ts";

const merchant = { id: "mer_1", mode: "live" } as const;
const AT = "2026-11-22T09:30:00.000+00:00";
const SOURCE = { bank: "729", bankTransferId: "R-1", accountNumber: "0123456789", allocated: false };
const reversal = {
  ...{ intakeId: "int_r", creditId: "int_1", merchant, amount: 1_000_000n, reversedBefore: 0n, reversedAt: AT },
  ...{ receivedAt: AT, source: SOURCE, fundedBy: "bank" as const },
};

test("a reversal of all of it undoes every entry of the collection, and the bank gives back what it says of its charges", () => {
  const kept = { bankFee: 5_000n, bankVat: 375n };
  const source = { bank: "729", bankTransferId: "1", narration: null, allocated: false, ...kept };
  const transfer = aTransfer({ intakeId: "int_1", merchant, amount: 1_000_000n, source });
  const collection = collectionTransaction({ transfer, feeBasisPoints: 100, shard: 2 });
  const undone = reversalTransaction({
    reversal: { ...reversal, source: { ...SOURCE, ...kept } },
    credit: collection,
    shard: 2,
  });
  expect(undone).toMatchObject({
    key: "int_1:collection_reversal:int_r",
    kind: "collection_reversal",
    fee: 10_000n,
    bankCharge: 5_375n,
    countedAt: reversal.receivedAt,
    legs: collection.legs.map(({ account, amount }) => ({ account, amount: -amount })),
  });
  const kept_by_bank = reversalTransaction({ reversal, credit: collection, shard: 2 });
  expect(kept_by_bank.legs[0]).toEqual({ account: "live:bank:2", amount: -1_000_000n });
});

test("whatever the parts are and in whatever order they are booked, the shares of the fee sum to the fee", () => {
  const given = fc.record({
    parts: fc.array(fc.bigInt({ min: 1n, max: 10_000_000n }), { minLength: 1, maxLength: 8 }),
    basisPoints: fc.bigInt({ min: 0n, max: 10_000n }),
  });
  fc.assert(
    fc.property(given, ({ parts, basisPoints }) => {
      const amount = parts.reduce((sum, part) => sum + part, 0n);
      const credit = { amount, fee: (amount * basisPoints) / 10_000n, feeBasisPoints: Number(basisPoints) };
      let before = 0n;
      const shares = parts.map((part) => {
        const share = feeOfPart(credit, { before, amount: part });
        before += part;
        expect(share >= 0n && share <= part).toBe(true);
        return share;
      });
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(credit.fee);
    }),
  );
});

test("money taken out of suspense before the rest was allocated comes back to suspense from the merchant, not to the bank again", () => {
  const { intakeId, creditId, amount, reversedAt, receivedAt } = reversal;
  const held = { intakeId, creditId, amount, reversedAt, receivedAt, mode: "live" as const, bankFee: 10n };
  expect(suspenseReversalTransaction({ reversal: held, shard: 0 })).toMatchObject({
    key: "int_1:suspense_reversal:int_r",
    countedAt: receivedAt,
    legs: [
      { account: "live:bank:0", amount: -999_990n },
      { account: "live:bank_charges:0", amount: -10n },
      { account: "live:suspense:0", amount: 1_000_000n },
    ],
  });
  const credit = { amount: 1_000_000n, fee: 10_000n, feeBasisPoints: 100 };
  const source = { ...SOURCE, bankFee: 10n, allocated: true };
  expect(
    reversalTransaction({ reversal: { ...reversal, source, fundedBy: "suspense" }, credit, shard: 0 }),
  ).toMatchObject({
    key: "int_1:allocation_reversal:int_r",
    countedAt: null,
    bankCharge: 0n,
    legs: [
      { account: "live:suspense:0", amount: -1_000_000n },
      { account: "live:collected:mer_1", amount: 990_000n },
      { account: "live:fees:0", amount: 10_000n },
    ],
  });
});

test.each([
  [{ collected: -500n, settled: 800n }, 500n],
  [{ collected: -500n, settled: 300n }, 300n],
  [{ collected: -500n, settled: 0n }, null],
  [{ collected: 0n, settled: 800n }, null],
  [{ collected: 1n, settled: 800n }, null],
])("with %o Settled pays %s", (balances, amount) => {
  const covered = coverTransaction({ merchant, key: "int_1:collection_reversal:int_r", balances, occurredAt: AT });
  expect(covered?.amount ?? null).toBe(amount);
  if (amount !== null)
    expect(covered).toMatchObject({
      key: "int_1:collection_reversal:int_r:cover",
      legs: [
        { account: "live:settled:mer_1", amount },
        { account: "live:collected:mer_1", amount: -amount },
      ],
    });
});
