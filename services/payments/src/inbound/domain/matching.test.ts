import type { SessionStatus } from "@collect/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aSession, minute } from "../../../test/inbound/a-session.ts";
import { CLOCK_SKEW_MAX_MS, candidateCutoff, type InboundTransfer, matchTransfers } from "./matching.ts";
import type { PaymentSession } from "./session.ts";

const underpaid = (received: bigint): Partial<PaymentSession> => ({ status: "underpaid", amountReceived: received });

const [TOLERANCE_MIN, PAUSE_MIN] = [2, 10];
const tolerance = { toleranceMs: TOLERANCE_MIN * 60_000 };

/** Paid when it was received, unless overridden. */
function aTransfer(given: Partial<InboundTransfer>): InboundTransfer {
  const receivedAt = given.receivedAt ?? minute(10);
  return {
    intakeId: "int_1",
    merchant: { id: "mer_1", mode: "test" },
    accountNumber: "0000000017",
    customer: { reference: "cust_1" },
    amount: 1_000n,
    paidAt: receivedAt,
    receivedAt,
    ...given,
  };
}

const matched = (sessions: PaymentSession[], transfer: Partial<InboundTransfer>) =>
  matchTransfers(sessions, [aTransfer(transfer)], tolerance).matches[0]?.session?.reference;

test("an exact amount comes before a missing amount, that before an exact amount for a paid session, and then the newest open session", () => {
  const exact = aSession({ reference: "exact" });
  const missing = aSession({ reference: "missing", amount: 1_500n, ...underpaid(500n) });
  const paid = aSession({ reference: "paid", status: "paid", amountReceived: 1_000n, paidAt: minute(1) });
  const newest = aSession({ reference: "newest", amount: 7_000n, createdAt: minute(5), expiresAt: minute(35) });
  expect(matched([newest, missing, exact], {})).toBe("exact");
  expect(matched([newest, missing, paid], {})).toBe("missing");
  expect(matched([newest, paid], {})).toBe("paid");
  expect(matched([newest, aSession({ reference: "older" })], { amount: 3n })).toBe("newest");
  expect(matched([], {})).toBeUndefined();
});

test("a session that takes no more hides no other one that is meant, and money taken back of a paid one changes nothing", () => {
  const older = aSession({ reference: "older" });
  const gone = aSession({ reference: "gone", createdAt: minute(2), ...underpaid(500n), amountReversed: 500n });
  expect(matched([gone, older], {})).toBe("older");
  expect(matched([gone], {})).toBeUndefined();
  expect(matched([gone, older], { amount: 500n })).toBe("older");
  const paid = aSession({ reference: "paid", status: "paid", paidAt: minute(1), amountReversed: 9n });
  expect(matched([paid], {})).toBe("paid");
});

test("of several sessions that lack exactly this amount the newest is completed", () => {
  const older = aSession({ reference: "older", amount: 1_500n, ...underpaid(500n) });
  const newer = aSession({ reference: "newer", amount: 1_600n, ...underpaid(600n), createdAt: minute(2) });
  expect(matched([newer, older], {})).toBe("newer");
});

test("on a collection account only an exact amount matches", () => {
  const session = aSession({});
  expect(matched([session], { customer: null })).toBe("pay_1");
  expect(matched([session], { customer: null, amount: 999n })).toBeUndefined();
});

test.each<[string, Partial<PaymentSession>]>([
  ["expired", { status: "expired" }],
  ["past its end, though not yet expired", { expiresAt: minute(10) }],
  ["paid", { status: "paid", amountReceived: 1_000n, paidAt: minute(1) }],
  ["created later", { createdAt: minute(11) }],
  ["underpaid and past its watch window", { ...underpaid(10n), watchUntil: minute(10) }],
])("another amount is not for a session that is %s", (_what, given) => {
  expect(matched([aSession(given)], { amount: 5n })).toBeUndefined();
});

test("a transfer that was paid before the session was created is not for it, except within the clock tolerance of the bank", () => {
  const session = aSession({ createdAt: minute(5) });
  const paid = (at: number) => matched([session], { paidAt: minute(at), receivedAt: minute(10) });
  expect(paid(5)).toBe("pay_1");
  expect(paid(5 - TOLERANCE_MIN)).toBe("pay_1");
  expect(paid(5 - TOLERANCE_MIN - 0.001)).toBeUndefined();
  expect(paid(-180)).toBeUndefined();
  const other = { customer: { reference: "cust_1" }, amount: 5n };
  expect(matched([session], { ...other, paidAt: minute(2), receivedAt: minute(10) })).toBeUndefined();
});

test("a transfer with a paid_at in the future counts as paid when it was received", () => {
  expect(matched([aSession({ createdAt: minute(5) })], { paidAt: minute(500), receivedAt: minute(4) })).toBeUndefined();
  expect(matched([aSession({})], { paidAt: "9999-12-31T23:59:59.999+00:00" })).toBe("pay_1");
  const latest = Date.parse(candidateCutoff({ paidAt: minute(500), receivedAt: minute(4) }, tolerance));
  expect(latest - Date.parse(minute(4))).toBe(CLOCK_SKEW_MAX_MS);
});

test("a transfer is in time if it was received in time, whenever it was paid", () => {
  const paid = { paidAt: minute(29) };
  const status = (receivedAt: string) =>
    matchTransfers([aSession({})], [aTransfer({ ...paid, receivedAt })], tolerance).changed[0]?.status;
  expect([minute(29), minute(30), minute(149), minute(150)].map(status)).toEqual([
    "paid",
    "paid_late",
    "paid_late",
    undefined,
  ]);
});

const PRICES = [1_000n, 2_000n];
const sessionsAndTransfers = fc
  .record({
    sessions: fc.array(
      fc.record({
        price: fc.constantFrom(...PRICES),
        suffix: fc.bigInt(1n, 3n),
        created: fc.integer({ min: 0, max: 300 }),
      }),
      { maxLength: 8 },
    ),
    transfers: fc.array(
      fc.record({
        amount: fc.oneof(
          fc.tuple(fc.constantFrom(...PRICES), fc.bigInt(1n, 3n)).map(([price, suffix]) => price + suffix),
          fc.bigInt(1n, 2_500n),
        ),
        received: fc.integer({ min: 0, max: 500 }),
        // Mostly at once, or late; sometimes from the future.
        delay: fc.oneof(fc.constant(0), fc.integer({ min: -5, max: 400 })),
      }),
      { maxLength: 20 },
    ),
    isCustomers: fc.boolean(),
  })
  .map(({ sessions, transfers, isCustomers }) => ({
    isCustomers,
    sessions: withoutOverlap(
      sessions.map(({ price, suffix, created }, n) =>
        aSession({
          reference: `pay_${n}`,
          amount: price + suffix,
          createdAt: minute(created),
          expiresAt: minute(created + 30),
          watchUntil: minute(created + 150),
        }),
      ),
    ),
    transfers: transfers.map(({ amount, received, delay }, n) => {
      const times = { paidAt: minute(received - delay), receivedAt: minute(received) };
      return aTransfer({ intakeId: `int_${n}`, amount, ...times, customer: isCustomers ? {} : null });
    }),
  }));

/** As slots guarantee: at most one session of an amount at a time, and a pause before the next. */
function withoutOverlap(sessions: PaymentSession[]): PaymentSession[] {
  const kept: PaymentSession[] = [];
  for (const session of sessions.toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt)))
    if (!kept.some((one) => one.amount === session.amount && hasNotRested(one, session))) kept.push(session);
  return kept;
}

const hasNotRested = (former: PaymentSession, next: PaymentSession) =>
  Date.parse(former.watchUntil) + PAUSE_MIN * 60_000 > Date.parse(next.createdAt);

test("no transfer matches a session that did not exist when it was paid, nor the next session of the slot it was paid for", () => {
  fc.assert(
    fc.property(sessionsAndTransfers, ({ sessions, transfers }) => {
      for (const { transfer, session } of matchTransfers(sessions, transfers, tolerance).matches) {
        if (!session) continue;
        const paidAt = Math.min(Date.parse(transfer.paidAt), Date.parse(transfer.receivedAt));
        expect(Date.parse(session.createdAt)).toBeLessThanOrEqual(paidAt + tolerance.toleranceMs);
        expect(Date.parse(session.createdAt)).toBeLessThanOrEqual(Date.parse(transfer.receivedAt) + CLOCK_SKEW_MAX_MS);
        const holder = sessions.find(
          ({ amount, createdAt, watchUntil }) =>
            amount === session.amount && Date.parse(createdAt) <= paidAt && paidAt < Date.parse(watchUntil),
        );
        if (holder) expect(session.createdAt <= holder.createdAt).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});

const FOLLOWS: Record<SessionStatus, SessionStatus[]> = {
  pending: ["paid", "underpaid", "overpaid", "paid_late"],
  processing: [],
  underpaid: ["underpaid", "paid", "overpaid"],
  paid: ["paid"],
  overpaid: ["overpaid"],
  expired: ["paid_late"],
  paid_late: ["paid_late"],
};

test("for any transfers in any batches the sums hold, references are unique, and sessions make only valid transitions", () => {
  fc.assert(
    fc.property(sessionsAndTransfers, fc.constantFrom(1, 3, 20), ({ sessions, transfers, isCustomers }, batchMax) => {
      const current = new Map(sessions.map((session) => [session.reference, session]));
      const references: string[] = [];
      const received = new Map<string, bigint>();
      for (let from = 0; from < transfers.length; from += batchMax) {
        const batch = transfers.slice(from, from + batchMax);
        const { matches, changed } = matchTransfers([...current.values()], batch, tolerance);
        expect(matches.map(({ transfer: { intakeId } }) => intakeId).toSorted()).toEqual(
          batch.map(({ intakeId }) => intakeId).toSorted(),
        );
        for (const { transfer, session, reference } of matches) {
          references.push(reference);
          if (!session) continue;
          received.set(session.reference, (received.get(session.reference) ?? 0n) + transfer.amount);
          expect(transfer.receivedAt >= session.createdAt && transfer.receivedAt < session.watchUntil).toBe(true);
          if (!isCustomers) expect(transfer.amount).toBe(session.amount);
        }
        // One at a time, so that no intermediate step is hidden by the batch.
        if (batchMax === 1)
          for (const session of changed)
            expect(FOLLOWS[current.get(session.reference)?.status ?? "processing"]).toContain(session.status);
        for (const session of changed) current.set(session.reference, session);
      }
      expect(new Set(references).size).toBe(transfers.length);
      for (const session of current.values()) {
        const sum = received.get(session.reference) ?? 0n;
        expect(session.amountReceived).toBe(sum);
        expect(references.includes(session.reference)).toBe(sum > 0n);
        if (session.status === "underpaid") expect(sum < session.amount).toBe(true);
        if (session.status === "paid" || session.status === "paid_late") expect(sum % session.amount).toBe(0n);
      }
    }),
    { numRuns: 500 },
  );
});

test("the result depends on the order of receipt, not on how transfers are batched", () => {
  fc.assert(
    fc.property(sessionsAndTransfers, ({ sessions, transfers }) => {
      const incoming = transfers.toSorted(
        (one, other) =>
          Date.parse(one.receivedAt) - Date.parse(other.receivedAt) || (one.intakeId < other.intakeId ? -1 : 1),
      );
      const together = matchTransfers(sessions, incoming.toReversed(), tolerance);
      let current = sessions;
      const apart = incoming.flatMap((one) => {
        const { matches, changed } = matchTransfers(current, [one], tolerance);
        const now = new Map(changed.map((session) => [session.reference, session]));
        current = current.map((session) => now.get(session.reference) ?? session);
        return matches;
      });
      expect(together.matches.map(({ reference }) => reference)).toEqual(apart.map(({ reference }) => reference));
    }),
    { numRuns: 500 },
  );
});
