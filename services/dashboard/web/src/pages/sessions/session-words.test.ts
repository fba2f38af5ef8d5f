import { expect, test } from "vitest";
import { aSession } from "../../../test/examples.ts";
import { meaningOf } from "./session-words.ts";

const UNTIL = "2026-11-22T10:00:00.000+00:00";
const meaning = (payment: Parameters<typeof aSession>[0], secondsAfter = -1) =>
  meaningOf(aSession(payment, { watch_until: UNTIL }), Date.parse(UNTIL) + secondsAfter * 1_000);

test.each(["paid", "paid_late"] as const)("a session that is %s says so if more than its amount arrived", (status) => {
  expect(meaning({ status, amount: 2500.07, amount_received: 2500.07 })).not.toMatch(/more/);
  expect(meaning({ status, amount: 2500.07, amount_received: 5000.14 })).toMatch(
    /and more after it.*return the excess/,
  );
});

test("what the bank took back is said whatever the status was, and nothing more is expected of the payer", () => {
  for (const status of ["paid", "underpaid", "overpaid"] as const) {
    const all = { status, amount: 100, amount_received: 90, amount_reversed: 90 };
    expect(meaning(all)).toMatch(/took it back.*Create a new session/);
    expect(meaning({ ...all, amount_reversed: 1 })).toMatch(/took back a part of it/);
  }
});

test("a session of which the bank took back no more than the excess is still paid, and no new one is suggested", () => {
  for (const status of ["paid", "overpaid", "paid_late"] as const) {
    // 0.3 − 0.2 is not 0.1 in binary.
    const paid = { status, amount: 0.1, amount_received: 0.3 };
    expect(meaning({ ...paid, amount_reversed: 0.2 })).toMatch(/took back ₦0\.20.*still credited to you\.$/);
    expect(meaning({ ...paid, amount_reversed: 0.1 })).toMatch(/took back ₦0\.10.*and more: you can return the excess/);
    expect(meaning({ ...paid, amount_reversed: 0.21 })).toMatch(/took back a part of it.*Create a new session/);
  }
});

test("the rest can be sent while the session takes it, and no longer", () => {
  const customer = { customer_reference: "cust_1" };
  const underpaid = { status: "underpaid", amount: 2500.07, amount_received: 100, ...customer } as const;
  expect(meaning(underpaid)).toMatch(/can still send the rest/);
  for (const seconds of [0, 1]) expect(meaning(underpaid, seconds)).toMatch(/has closed: create a new one/);
  // In an account that others pay into, the rest would not be recognized.
  expect(meaning({ ...underpaid, customer_reference: null })).toMatch(/has closed: create a new one/);
});
