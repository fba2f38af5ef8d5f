import type { SessionStatus } from "@collect/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aSession, minute } from "../../../test/inbound/a-session.ts";
import { CLOCKS_APART_MS, type Money, matchMoney, meantBefore } from "./matching.ts";
import type { PaymentSession } from "./session.ts";

const underpaid = (received: bigint): Partial<PaymentSession> => ({ status: "underpaid", amountReceived: received });

const [TOLERANCE_MIN, PAUSE_MIN] = [2, 10];
const tolerance = { toleranceMs: TOLERANCE_MIN * 60_000 };

/** Paid when it is received, unless said otherwise. */
function someMoney(given: Partial<Money>): Money {
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

const matched = (sessions: PaymentSession[], money: Partial<Money>) =>
  matchMoney(sessions, [someMoney(money)], tolerance).matches[0]?.session?.reference;

test("an exact amount comes before what is missing, what is missing before exact money for a paid one, and then the newest", () => {
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

test("of several that miss exactly this the newest is completed", () => {
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
  ["ended, though nobody has noted it", { expiresAt: minute(10) }],
  ["paid", { status: "paid", amountReceived: 1_000n, paidAt: minute(1) }],
  ["opened later", { createdAt: minute(11) }],
  ["underpaid and watched no more", { ...underpaid(10n), watchUntil: minute(10) }],
])("another amount is not for a session that is %s", (_what, given) => {
  expect(matched([aSession(given)], { amount: 5n })).toBeUndefined();
});

test("money that was paid before the session was there is not for it, but for what the bank's clock may be off", () => {
  const session = aSession({ createdAt: minute(5) });
  const paid = (at: number) => matched([session], { paidAt: minute(at), receivedAt: minute(10) });
  expect(paid(5)).toBe("pay_1");
  expect(paid(5 - TOLERANCE_MIN)).toBe("pay_1");
  expect(paid(5 - TOLERANCE_MIN - 0.001)).toBeUndefined();
  expect(paid(-180)).toBeUndefined();
  const isOwn = { customer: { reference: "cust_1" }, amount: 5n };
  expect(matched([session], { ...isOwn, paidAt: minute(2), receivedAt: minute(10) })).toBeUndefined();
});

test("what was paid in the future was paid when it was received, at the latest", () => {
  expect(matched([aSession({ createdAt: minute(5) })], { paidAt: minute(500), receivedAt: minute(4) })).toBeUndefined();
  expect(matched([aSession({})], { paidAt: "9999-12-31T23:59:59.999+00:00" })).toBe("pay_1");
  const latest = Date.parse(meantBefore({ paidAt: minute(500), receivedAt: minute(4) }, tolerance));
  expect(latest - Date.parse(minute(4))).toBe(CLOCKS_APART_MS);
});

test("in time is what was received in time, whenever it was paid", () => {
  const paid = { paidAt: minute(29) };
  const status = (receivedAt: string) =>
    matchMoney([aSession({})], [someMoney({ ...paid, receivedAt })], tolerance).changed[0]?.status;
  expect([minute(29), minute(30), minute(149), minute(150)].map(status)).toEqual([
    "paid",
    "paid_late",
    "paid_late",
    undefined,
  ]);
});

const PRICES = [1_000n, 2_000n];
const sessionsAndMoney = fc
  .record({
    sessions: fc.array(
      fc.record({
        price: fc.constantFrom(...PRICES),
        suffix: fc.bigInt(1n, 3n),
        opened: fc.integer({ min: 0, max: 300 }),
      }),
      { maxLength: 8 },
    ),
    money: fc.array(
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
  .map(({ sessions, money, isCustomers }) => ({
    isCustomers,
    sessions: withoutOverlap(
      sessions.map(({ price, suffix, opened }, n) =>
        aSession({
          reference: `pay_${n}`,
          amount: price + suffix,
          createdAt: minute(opened),
          expiresAt: minute(opened + 30),
          watchUntil: minute(opened + 150),
        }),
      ),
    ),
    money: money.map(({ amount, received, delay }, n) => {
      const times = { paidAt: minute(received - delay), receivedAt: minute(received) };
      return someMoney({ intakeId: `int_${n}`, amount, ...times, customer: isCustomers ? {} : null });
    }),
  }));

/** As the slots guarantee it: of one amount there is one session at a time, and a pause before the next. */
function withoutOverlap(sessions: PaymentSession[]): PaymentSession[] {
  const kept: PaymentSession[] = [];
  for (const session of sessions.toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt)))
    if (!kept.some((one) => one.amount === session.amount && hasNotRested(one, session))) kept.push(session);
  return kept;
}

const hasNotRested = (former: PaymentSession, next: PaymentSession) =>
  Date.parse(former.watchUntil) + PAUSE_MIN * 60_000 > Date.parse(next.createdAt);

test("no money matches a session that was not there when it was paid, and none the next session of the slot it was paid in", () => {
  fc.assert(
    fc.property(sessionsAndMoney, ({ sessions, money }) => {
      for (const { money: one, session } of matchMoney(sessions, money, tolerance).matches) {
        if (!session) continue;
        const paidAt = Math.min(Date.parse(one.paidAt), Date.parse(one.receivedAt));
        expect(Date.parse(session.createdAt)).toBeLessThanOrEqual(paidAt + tolerance.toleranceMs);
        expect(Date.parse(session.createdAt)).toBeLessThanOrEqual(Date.parse(one.receivedAt) + CLOCKS_APART_MS);
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

test("whatever comes in whatever batches: sums hold, references are unique, and no session goes a way that there is not", () => {
  fc.assert(
    fc.property(sessionsAndMoney, fc.constantFrom(1, 3, 20), ({ sessions, money, isCustomers }, batchMax) => {
      const standing = new Map(sessions.map((session) => [session.reference, session]));
      const references: string[] = [];
      const received = new Map<string, bigint>();
      for (let from = 0; from < money.length; from += batchMax) {
        const batch = money.slice(from, from + batchMax);
        const { matches, changed } = matchMoney([...standing.values()], batch, tolerance);
        expect(matches.map(({ money: { intakeId } }) => intakeId).toSorted()).toEqual(
          batch.map(({ intakeId }) => intakeId).toSorted(),
        );
        for (const { money: one, session, reference } of matches) {
          references.push(reference);
          if (!session) continue;
          received.set(session.reference, (received.get(session.reference) ?? 0n) + one.amount);
          expect(one.receivedAt >= session.createdAt && one.receivedAt < session.watchUntil).toBe(true);
          if (!isCustomers) expect(one.amount).toBe(session.amount);
        }
        // One at a time, so that no step between is hidden by the batch.
        if (batchMax === 1)
          for (const session of changed)
            expect(FOLLOWS[standing.get(session.reference)?.status ?? "processing"]).toContain(session.status);
        for (const session of changed) standing.set(session.reference, session);
      }
      expect(new Set(references).size).toBe(money.length);
      for (const session of standing.values()) {
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

test("one message or many, the same order of arrival ends the same", () => {
  fc.assert(
    fc.property(sessionsAndMoney, ({ sessions, money }) => {
      const incoming = money.toSorted(
        (one, other) =>
          Date.parse(one.receivedAt) - Date.parse(other.receivedAt) || (one.intakeId < other.intakeId ? -1 : 1),
      );
      const together = matchMoney(sessions, incoming.toReversed(), tolerance);
      let standing = sessions;
      const apart = incoming.flatMap((one) => {
        const { matches, changed } = matchMoney(standing, [one], tolerance);
        const now = new Map(changed.map((session) => [session.reference, session]));
        standing = standing.map((session) => now.get(session.reference) ?? session);
        return matches;
      });
      expect(together.matches.map(({ reference }) => reference)).toEqual(apart.map(({ reference }) => reference));
    }),
    { numRuns: 500 },
  );
});
