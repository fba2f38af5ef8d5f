import { expect, test } from "vitest";
import { aSession, minute } from "../../../test/inbound/a-session.ts";
import { matchAsDecided } from "./decided.ts";
import type { PaymentSession } from "./session.ts";

type Money = { amount: bigint; at?: number };

/** The session after money that was for it, each in a batch of its own or all in one. */
function repeat(session: PaymentSession, batches: Money[][]): PaymentSession {
  let number = 0;
  return batches.reduce((current, batch) => {
    const transfers = batch.map(({ amount, at = 10 }) => ({
      ...{ intakeId: `int_${number}`, reference: `col_${number++}`, paymentReference: session.reference, amount },
      ...{ merchant: { id: "mer_1", mode: "test" as const }, accountNumber: "0000000017", customer: {} },
      ...{ paidAt: minute(at), receivedAt: minute(at) },
    }));
    const { matches, changed } = matchAsDecided([current], transfers);
    expect(matches.map(({ reference }) => reference)).toEqual(transfers.map(({ reference }) => reference));
    return changed[0] ?? current;
  }, session);
}

test("whatever was for a session is for it again, in the order of receipt or another", () => {
  const more = { amount: 1_500n, at: 5 };
  const exact = { amount: 1_000n, at: 3 };
  const both = { status: "overpaid", amountReceived: 2_500n };
  expect(repeat(aSession(), [[more, exact]])).toMatchObject({ ...both, paidAt: minute(3) });
  expect(repeat(aSession(), [[more], [exact]])).toMatchObject(both);
  expect(repeat(aSession(), [[exact], [more]])).toMatchObject(both);
  const [part, rest] = [{ amount: 600n }, { amount: 400n }];
  for (const order of [
    [part, rest],
    [rest, part],
  ])
    expect(repeat(aSession(), [order])).toMatchObject({ status: "paid", amountReceived: 1_000n });
});

test("its exact amount once more keeps its status, also when its window was cut since", () => {
  const cut = aSession({ status: "paid_late", amountReceived: 1_000n, paidAt: minute(40), watchUntil: minute(41) });
  expect(repeat(cut, [[{ amount: 1_000n, at: 60 }]])).toMatchObject({ status: "paid_late", amountReceived: 2_000n });
});

test("money of which a part was taken back is not there to complete it, and more is counted by the sum", () => {
  const parted = aSession({ status: "underpaid", amountReceived: 300n, amountReversed: 300n });
  expect(repeat(parted, [[{ amount: 200n }]])).toMatchObject({ status: "underpaid", amountReceived: 500n });
});

test("a session whose account is lost stays as it is", () => {
  const bare = aSession({ accountNumber: null, openedBy: "public_key" });
  expect(repeat(bare, [[{ amount: 1_000n }]])).toEqual(bare);
});
