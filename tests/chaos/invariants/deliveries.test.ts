import { expect, test } from "vitest";
import { type Books, type Delivered, emptyBooks } from "../books.ts";
import { deliveries } from "./deliveries.ts";
import { mayBe } from "./sessions.ts";

const paidAtMs = Date.parse("2026-11-21T09:30:00.000Z");

/** Two transfers that were answered and delivered once, under the numbers 1 and 2. */
function goodBooks(): Books {
  const numbers = [1, 2];
  return {
    ...emptyBooks(),
    reported: numbers.map((n) => ({
      id: `trf_${n}`,
      merchant: 0,
      accountNumber: `account ${n}`,
      amount: 10_000,
      paidAtMs,
      firstSentAt: 0,
      answeredAt: 1,
      session: undefined,
    })),
    delivered: numbers.map((n) => delivery(n)),
  };
}

function delivery(n: number, given: Partial<Delivered> = {}): Delivered {
  const data = {
    reference: `col_${n}`,
    amount: 100,
    account_number: `account ${n}`,
    paid_at: "2026-11-21T09:30:00.000+00:00",
  };
  return {
    merchant: 0,
    mode: "live",
    event: "collection.success",
    sequence: n,
    number: n,
    hash: `bytes ${n}`,
    at: 2,
    data,
    ...given,
  };
}

test("each event once, again with the same bytes and numbers, is nothing to complain of", () => {
  const books = goodBooks();
  expect(deliveries({ ...books, delivered: [...books.delivered, delivery(1, { at: 9 })] })).toEqual([]);
});

test.each([
  ["a sequence number with different bytes", [delivery(1), delivery(1, { hash: "others" }), delivery(2)]],
  ["a delivery number of two events", [delivery(1), delivery(2, { number: 1 })]],
  ["a transfer with two events", [delivery(1), delivery(2), delivery(3, { data: delivery(1).data })]],
  ["a gap", [delivery(1), delivery(2, { sequence: 3 })]],
  ["a transfer that was answered and has no event", [delivery(1)]],
  ["an event of money that the bank never reported", [delivery(1), delivery(2), delivery(3)]],
])("%s is found", (what, delivered) => {
  expect(deliveries({ ...goodBooks(), delivered }).filter((line) => line.startsWith(`${what} (`))).toHaveLength(1);
});

test("test money that was answered and never delivered is found", () => {
  const simulated = [{ merchant: 0, amount: 100, reference: "col_9" }];
  expect(deliveries({ ...goodBooks(), simulated })).toEqual([expect.stringContaining("test money")]);
});

const session = { reference: "pay_1", merchant: 0, plan: "exact", amount: 10_000, expiresAtMs: 60_000 } as const;
const paidBetween = (firstSentAt: number, answeredAt: number) => ({
  ...session,
  paidBy: { ...(goodBooks().reported[0] as Books["reported"][number]), firstSentAt, answeredAt },
});

test("a session without money may not be paid, and one with money must be as it was taken in", () => {
  expect(mayBe({ ...session, paidBy: undefined }, 0)).toEqual(["pending", "processing", "expired"]);
  expect(mayBe({ ...session, paidBy: undefined }, 10_000)).toEqual([]);
  expect(mayBe(paidBetween(1_000, 2_000), 10_000)).toEqual(["paid"]);
  expect(mayBe(paidBetween(1_000, 2_000), 9_000)).toEqual(["underpaid"]);
  expect(mayBe(paidBetween(1_000, 2_000), 11_000)).toEqual(["overpaid"]);
  expect(mayBe(paidBetween(90_000, 91_000), 10_000)).toEqual(["paid_late"]);
  expect(mayBe(paidBetween(50_000, 70_000), 10_000)).toEqual(["paid", "paid_late"]);
});
