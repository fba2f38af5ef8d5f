import { expect, test } from "vitest";
import { type Delivered, noObservations, type Observations } from "../observations.ts";
import { deliveries } from "./deliveries.ts";
import { allowedStatuses, mayBeUnmatched } from "./sessions.ts";

const paidAtMs = Date.parse("2026-11-21T09:30:00.000Z");

/** Two transfers that were acknowledged and delivered once, under the numbers 1 and 2. */
function validObservations(): Observations {
  const numbers = [1, 2];
  return {
    ...noObservations(),
    reported: numbers.map((n) => ({
      id: `trf_${n}`,
      merchant: 0,
      accountNumber: `account ${n}`,
      amount: 10_000,
      paidAtMs,
      firstSentAt: 0,
      acknowledgedAt: 1,
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

test("a repeat with the same bytes and numbers is not a violation", () => {
  const observations = validObservations();
  expect(deliveries({ ...observations, delivered: [...observations.delivered, delivery(1, { at: 9 })] })).toEqual([]);
});

test.each([
  ["a sequence number with different bytes", [delivery(1), delivery(1, { hash: "others" }), delivery(2)]],
  ["a delivery number of two events", [delivery(1), delivery(2, { number: 1 })]],
  ["a transfer with two events", [delivery(1), delivery(2), delivery(3, { data: delivery(1).data })]],
  ["a gap", [delivery(1), delivery(2, { sequence: 3 })]],
  ["an acknowledged transfer without an event", [delivery(1)]],
  ["an event of a transfer that the bank never reported", [delivery(1), delivery(2), delivery(3)]],
])("%s is reported", (what, delivered) => {
  expect(deliveries({ ...validObservations(), delivered }).filter((line) => line.startsWith(`${what} (`))).toHaveLength(
    1,
  );
});

test("an acknowledged simulated payment that is never delivered is reported", () => {
  const simulated = [{ merchant: 0, amount: 100, reference: "col_9" }];
  expect(deliveries({ ...validObservations(), simulated })).toEqual([expect.stringContaining("simulated payment")]);
});

const session = { reference: "pay_1", merchant: 0, plan: "exact", amount: 10_000, expiresAtMs: 60_000 } as const;
const paidBetween = (firstSentAt: number, acknowledgedAt: number, amount: number = session.amount) => ({
  ...session,
  paidBy: {
    ...(validObservations().reported[0] as Observations["reported"][number]),
    ...{ firstSentAt, acknowledgedAt, amount },
  },
});

test("a session without money must not be paid, and one with money must have the status of when it was received", () => {
  expect(allowedStatuses({ ...session, paidBy: undefined }, 0)).toEqual(["pending", "processing", "expired"]);
  expect(allowedStatuses({ ...session, paidBy: undefined }, 10_000)).toEqual([]);
  expect(allowedStatuses(paidBetween(1_000, 2_000), 10_000)).toEqual(["paid"]);
  expect(allowedStatuses(paidBetween(1_000, 2_000), 9_000)).toEqual(["underpaid"]);
  expect(allowedStatuses(paidBetween(1_000, 2_000), 11_000)).toEqual(["overpaid"]);
  expect(allowedStatuses(paidBetween(90_000, 91_000), 10_000)).toEqual(["paid_late"]);
  const another = (first: number, last: number) => mayBeUnmatched(paidBetween(first, last, 9_000));
  expect([another(1_000, 2_000), another(1_000, 90_000), another(90_000, 91_000)]).toEqual([false, true, true]);
  expect(mayBeUnmatched(paidBetween(90_000, 91_000))).toBe(false);
  expect(allowedStatuses(paidBetween(50_000, 70_000), 10_000)).toEqual(["paid", "paid_late"]);
});
