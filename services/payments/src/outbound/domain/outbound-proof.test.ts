import type { TransferBookings } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { type ProvenTransfer, transferDifferences } from "./outbound-proof.ts";

const transfer = (given: Partial<ProvenTransfer> = {}): ProvenTransfer => ({
  reference: "trf_1",
  merchantId: "mer_1",
  mode: "live",
  amount: 100n,
  step: "told",
  status: "success",
  verdict: "success",
  ...given,
});
const bookings = (given: Partial<TransferBookings> = {}): TransferBookings => ({
  transfer_id: "trf_1",
  merchant_id: "mer_1",
  mode: "live",
  amount: 100n,
  reserved: true,
  first_end: "success",
  bookings: ["reserve", "payout"],
  ...given,
});
const of = (payments: ProvenTransfer | undefined, ledger: TransferBookings | undefined) =>
  transferDifferences({ before: payments, ledger, after: payments });

describe("no difference is found for", () => {
  test.each<[string, Partial<ProvenTransfer>, Partial<TransferBookings> | undefined]>([
    ["paid", {}, {}],
    ["failed", { status: "failed", verdict: "failed" }, { first_end: "failed", bookings: ["reserve", "return"] }],
    ["reversed", { status: "reversed", verdict: "reversed" }, { bookings: ["reserve", "payout", "reversal"] }],
    ["reserved", { step: "reserved", status: "pending", verdict: null }, { first_end: null, bookings: ["reserve"] }],
    ["created", { step: "created", status: "pending", verdict: null }, undefined],
    [
      "refused",
      { step: "refused", status: "pending", verdict: null },
      { reserved: false, first_end: null, bookings: [] },
    ],
    ["decided and not booked yet", { step: "decided", status: "pending" }, { first_end: null, bookings: ["reserve"] }],
    ["decided and booked already", { step: "decided", status: "pending" }, {}],
    [
      "a success being reversed",
      { step: "decided", verdict: "reversed" },
      { bookings: ["reserve", "payout", "reversal"] },
    ],
    [
      "paid after it had failed",
      { status: "failed", verdict: "failed" },
      { bookings: ["reserve", "return", "late_payout"] },
    ],
  ])("%s", (_what, payments, ledger) => {
    expect(of(transfer(payments), ledger && bookings(ledger))).toEqual([]);
  });

  test("a transfer that advances while the ledger is read", () => {
    const before = transfer({ step: "sending", status: "pending", verdict: null });
    expect(transferDifferences({ before, ledger: bookings(), after: transfer() })).toEqual([]);
  });

  test("a refusal of a transfer that was deleted", () => {
    expect(of(undefined, bookings({ reserved: false, bookings: [] }))).toEqual([]);
  });
});

test.each<[string, Partial<ProvenTransfer> | undefined, Partial<TransferBookings> | undefined, string]>([
  ["a reserve without a transfer", undefined, {}, "payments has no such transfer"],
  ["a transfer without a reserve", {}, undefined, "holds no reserve"],
  ["a payout that was not booked", {}, { bookings: ["reserve"] }, "has no payout"],
  ["a payout that failed here", { status: "failed", verdict: "failed" }, {}, "has no return"],
  [
    "a payout of what was not sent",
    { step: "reserved", status: "pending", verdict: null },
    {},
    "a payout that payments does not know",
  ],
  [
    "a return beside a payout",
    {},
    { bookings: ["reserve", "payout", "return"] },
    "a return that payments does not know",
  ],
  ["another amount", {}, { amount: 101n }, "another merchant, mode or amount"],
  ["another merchant", {}, { merchant_id: "mer_2" }, "another merchant, mode or amount"],
  [
    "a reserve for what was refused",
    { step: "refused", status: "pending", verdict: null },
    { bookings: ["reserve"] },
    "refused here",
  ],
])("%s is a difference", (_what, payments, ledger, named) => {
  const found = of(payments && transfer(payments), ledger && bookings(ledger));
  expect(found.join("; ")).toContain(named);
});
