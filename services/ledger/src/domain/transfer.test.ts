import fc from "fast-check";
import { expect, test } from "vitest";
import type { Transaction } from "./transaction.ts";
import { completion, endOf, type Outcome, transferTransaction } from "./transfer.ts";

const transfer = { transferId: "trf_1", merchant: { id: "mer_1", mode: "live" }, amount: 5_000n } as const;
const given = { transfer, shard: 3, notifiedAt: "2026-11-21T09:30:00.000+00:00" };

test.each([
  ["reserve", "live:settled:mer_1", "live:payouts:mer_1"],
  ["return", "live:payouts:mer_1", "live:settled:mer_1"],
  ["payout", "live:payouts:mer_1", "live:bank:3"],
  ["reversal", "live:bank:3", "live:settled:mer_1"],
  ["late_payout", "live:suspense:3", "live:bank:3"],
  ["late_reversal", "live:bank:3", "live:suspense:3"],
] as const)("a %s debits %s and credits %s, under the transfer's id and without a fee", (booking, from, to) => {
  expect(transferTransaction(booking, given)).toEqual({
    key: `trf_1:${booking}`,
    bankCharge: 0n,
    kind: booking,
    mode: "live",
    merchantId: "mer_1",
    amount: 5_000n,
    fee: 0n,
    feeBasisPoints: 0,
    occurredAt: given.notifiedAt,
    receivedAt: null,
    countedAt: from.includes(":bank:") || to.includes(":bank:") ? given.notifiedAt : null,
    legs: [
      { account: from, amount: 5_000n },
      { account: to, amount: -5_000n },
    ],
  });
});

/** The bookings after these outcomes were reported in this order: every key once, as in the ledger. */
function booksAfter(outcomes: Outcome[]): Map<string, Transaction> {
  const [first] = outcomes;
  const bookings = first ? outcomes.flatMap((outcome) => completion(endOf(first), outcome).bookings) : [];
  const transactions = ["reserve" as const, ...bookings].map((booking) => transferTransaction(booking, given));
  return new Map(transactions.map((transaction) => [transaction.key, transaction]));
}

/** The balance of each account, starting at zero. */
function balances(books: Map<string, Transaction>): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { account, amount } of [...books.values()].flatMap(({ legs }) => legs)) {
    const kind = account.split(":")[1] ?? "";
    sums[kind] = (sums[kind] ?? 0n) + amount;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, balance]) => balance !== 0n));
}

test.each<[Outcome[], Record<string, bigint>]>([
  [["success"], { settled: 5_000n, bank: -5_000n }],
  [["failed"], {}],
  [["success", "reversed"], {}],
  [["reversed", "success"], {}],
  [["failed", "success"], { suspense: 5_000n, bank: -5_000n }],
  [["failed", "success", "reversed"], {}],
  [["failed", "reversed", "success"], {}],
  [["success", "failed"], { settled: 5_000n, bank: -5_000n }],
  [["success", "failed", "reversed"], {}],
])("after %j the books say who has the money", (outcomes, expected) => {
  expect(balances(booksAfter(outcomes))).toEqual(expected);
});

test("whatever outcomes are reported, however often and in any order, the bank account shows whether it paid, and nothing stays reserved", () => {
  const outcomes = fc.array(fc.constantFrom<Outcome>("success", "failed", "reversed"), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(outcomes, (reported) => {
      const { bank = 0n, payouts = 0n, settled = 0n, suspense = 0n } = balances(booksAfter(reported));
      const paid = reported.includes("success") && !reported.includes("reversed");
      expect({ bank, payouts }).toEqual({ bank: paid ? -5_000n : 0n, payouts: 0n });
      expect(settled + suspense).toBe(paid ? 5_000n : 0n);
      expect(suspense).toBe(paid && reported[0] === "failed" ? 5_000n : 0n);
    }),
  );
});
