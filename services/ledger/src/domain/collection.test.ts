import { aTransfer } from "@collect/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collectionTransaction, suspenseTransaction } from "./collection.ts";
import { balanced, credit, debit, type Transaction } from "./transaction.ts";

const SOURCE = { bank: "729", bankTransferId: "1", narration: null, allocated: false };
const merchant = { id: "mer_1", mode: "live" } as const;
const sum = ({ legs }: Transaction) => legs.reduce((total, { amount }) => total + amount, 0n);

test("a collection debits the bank with the gross and credits the merchant with the net and us with the fee", () => {
  const transfer = aTransfer({ intakeId: "int_1", merchant, amount: 1_000_000n });
  expect(collectionTransaction({ transfer, feeBasisPoints: 100, shard: 0 })).toEqual({
    key: "int_1",
    kind: "collection",
    mode: "live",
    merchantId: "mer_1",
    amount: 1_000_000n,
    fee: 10_000n,
    feeBasisPoints: 100,
    bankCharge: 0n,
    occurredAt: transfer.paidAt,
    receivedAt: transfer.receivedAt,
    countedAt: null,
    legs: [
      { account: "live:bank:0", amount: 1_000_000n },
      { account: "live:collected:mer_1", amount: -990_000n },
      { account: "live:fees:0", amount: -10_000n },
    ],
  });
});

test("what the bank kept is our expense: the merchant is credited from the gross", () => {
  const transfer = aTransfer({ merchant, amount: 1_000_000n, source: { ...SOURCE, bankFee: 5_000n, bankVat: 375n } });
  expect(collectionTransaction({ transfer, feeBasisPoints: 100, shard: 2 })).toMatchObject({
    amount: 1_000_000n,
    bankCharge: 5_375n,
    legs: [
      { account: "live:bank:2", amount: 994_625n },
      { account: "live:bank_charges:2", amount: 5_375n },
      { account: "live:collected:mer_1", amount: -990_000n },
      { account: "live:fees:2", amount: -10_000n },
    ],
  });
});

test("an allocation books no charge: it was booked when the money was received", () => {
  const { paidAt, receivedAt } = aTransfer();
  const kept = { bankFee: 10n, bankVat: 1n };
  const held = { intakeId: "int_1", mode: "live" as const, amount: 500n, paidAt, receivedAt, ...kept };
  expect(suspenseTransaction({ transfer: held, shard: 0 }).legs).toEqual([
    { account: "live:bank:0", amount: 489n },
    { account: "live:bank_charges:0", amount: 11n },
    { account: "live:suspense:0", amount: -500n },
  ]);
  const transfer = aTransfer({ merchant, amount: 500n, fundedBy: "suspense", source: { ...SOURCE, ...kept } });
  expect(collectionTransaction({ transfer, feeBasisPoints: 0, shard: 0 })).toMatchObject({
    bankCharge: 0n,
    legs: [
      { account: "live:suspense:0", amount: 500n },
      { account: "live:collected:mer_1", amount: -500n },
    ],
  });
});

test("an allocation takes the gross out of suspense, under a key of its own", () => {
  const transfer = aTransfer({ intakeId: "int_1", merchant, amount: 1_000_000n, fundedBy: "suspense" });
  expect(collectionTransaction({ transfer, feeBasisPoints: 100, shard: 3 })).toMatchObject({
    key: "int_1:allocated",
    kind: "allocation",
    legs: [
      { account: "live:suspense:3", amount: 1_000_000n },
      { account: "live:collected:mer_1", amount: -990_000n },
      { account: "live:fees:3", amount: -10_000n },
    ],
  });
});

test("money for an account without an owner is booked to suspense without a fee", () => {
  const { paidAt, receivedAt } = aTransfer();
  const transfer = { intakeId: "int_1", mode: "test" as const, amount: 500n, paidAt, receivedAt };
  expect(suspenseTransaction({ transfer, shard: 0 })).toMatchObject({
    key: "int_1",
    kind: "suspense",
    fee: 0n,
    legs: [
      { account: "test:bank:0", amount: 500n },
      { account: "test:suspense:0", amount: -500n },
    ],
  });
});

test("legs of zero are omitted: without a fee the merchant gets the whole amount, and at 100 % we do", () => {
  const transfer = aTransfer({ merchant, amount: 100n });
  const accounts = (feeBasisPoints: number) =>
    collectionTransaction({ transfer, feeBasisPoints, shard: 0 }).legs.map(({ account }) => account);
  expect(accounts(0)).toEqual(["live:bank:0", "live:collected:mer_1"]);
  expect(accounts(10_000)).toEqual(["live:bank:0", "live:fees:0"]);
});

test("a transaction sums to zero in one mode for every amount, fee and source", () => {
  const given = fc.record({
    amount: fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
    feeBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    fundedBy: fc.constantFrom("bank", "suspense"),
    mode: fc.constantFrom("test", "live"),
    kept: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(given, ({ amount, feeBasisPoints, fundedBy, mode, kept }) => {
      const source = { ...SOURCE, bankFee: (amount * BigInt(kept)) / 100n };
      const transfer = aTransfer({ amount, fundedBy, merchant: { id: "mer_1", mode }, source });
      const transaction = collectionTransaction({ transfer, feeBasisPoints, shard: 0 });
      expect(sum(transaction)).toBe(0n);
      expect(transaction.legs.length).toBeGreaterThanOrEqual(2);
      expect(transaction.legs.every(({ account }) => account.startsWith(`${mode}:`))).toBe(true);
    }),
  );
});

test("legs that do not sum to zero are refused before they reach the database", () => {
  const { legs: _, ...head } = collectionTransaction({ transfer: aTransfer(), feeBasisPoints: 100, shard: 0 });
  expect(() => balanced(head, [debit("test:bank:0", 100n), credit("test:fees:0", 99n)])).toThrow("sum to 1");
});
