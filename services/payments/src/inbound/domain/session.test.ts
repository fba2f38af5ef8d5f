import { SESSION_STATUSES, type SessionStatus } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { aSession, minute } from "../../../test/inbound/a-session.ts";
import { applyEvent, type PaymentSession, type SessionEvent } from "./session.ts";

const RECEIVED: Record<SessionStatus, bigint> = {
  pending: 0n,
  processing: 0n,
  expired: 0n,
  underpaid: 400n,
  paid: 1_000n,
  overpaid: 1_200n,
  paid_late: 1_000n,
};

function sessionThatIs(status: SessionStatus): PaymentSession {
  const isPaid = status === "paid" || status === "overpaid" || status === "paid_late";
  return aSession({ status, amountReceived: RECEIVED[status], paidAt: isPaid ? minute(1) : null });
}

const sent = (at: number): SessionEvent => ({ kind: "sent", at: minute(at), extensionMs: 30 * 60_000 });
const timeUp = (at: number): SessionEvent => ({ kind: "time_up", at: minute(at) });
const transfer = (at: number, amount: bigint): SessionEvent => ({ kind: "transfer", at: minute(at), amount });

const attached = (at: number, amount: bigint): SessionEvent => ({ kind: "attached", at: minute(at), amount });

const EVENTS: Record<string, SessionEvent> = {
  "sent in time": sent(10),
  "sent at the end": sent(30),
  "time up early": timeUp(29),
  "time up": timeUp(30),
  "exact in time": transfer(29, 1_000n),
  "less in time": transfer(29, 600n),
  "more in time": transfer(29, 1_100n),
  "exact late": transfer(30, 1_000n),
  "less late": transfer(30, 600n),
  "more late": transfer(30, 1_100n),
  "exact before it was created": transfer(-1, 1_000n),
  "exact after the watch window": transfer(150, 1_000n),
  "exact attached": attached(29, 1_000n),
  "less attached": attached(29, 600n),
  "more attached": attached(29, 1_100n),
  "exact attached after the watch window": attached(10_000, 1_000n),
  "less attached after the watch window": attached(10_000, 600n),
};

/** Of a session that has received nothing. */
const ATTACHED = {
  "exact attached": "paid",
  "less attached": "underpaid",
  "more attached": "overpaid",
  "less attached after the watch window": "underpaid",
} as const;

const AFTER: Record<SessionStatus, Partial<Record<keyof typeof EVENTS, SessionStatus>>> = {
  pending: {
    "sent in time": "processing",
    "time up": "expired",
    "exact in time": "paid",
    "less in time": "underpaid",
    "more in time": "overpaid",
    "exact late": "paid_late",
    ...ATTACHED,
    "exact attached after the watch window": "paid_late",
  },
  processing: {
    "time up": "expired",
    "exact in time": "paid",
    "less in time": "underpaid",
    "more in time": "overpaid",
    "exact late": "paid_late",
    ...ATTACHED,
    "exact attached after the watch window": "paid_late",
  },
  // 400 of 1,000 are received: 600 complete it.
  underpaid: {
    "exact in time": "overpaid",
    "less in time": "paid",
    "more in time": "overpaid",
    "exact late": "overpaid",
    "less late": "paid",
    "more late": "overpaid",
    "exact attached": "overpaid",
    "less attached": "paid",
    "more attached": "overpaid",
    "exact attached after the watch window": "overpaid",
    "less attached after the watch window": "paid",
  },
  paid: { "exact in time": "paid", "exact late": "paid" },
  overpaid: { "exact in time": "overpaid", "exact late": "overpaid" },
  paid_late: { "exact in time": "paid_late", "exact late": "paid_late" },
  expired: {
    "exact in time": "paid_late",
    "exact late": "paid_late",
    ...ATTACHED,
    "exact attached": "paid_late",
    "exact attached after the watch window": "paid_late",
  },
};

describe.each(SESSION_STATUSES)("%s", (status) => {
  test.each(Object.keys(EVENTS))("%s", (name) => {
    const event = EVENTS[name];
    if (!event) throw new Error(`no event ${name}`);
    expect(applyEvent(sessionThatIs(status), event)?.status).toBe(AFTER[status][name]);
  });
});

test("a partial top-up leaves a session underpaid until the rest is received", () => {
  const more = applyEvent(sessionThatIs("underpaid"), transfer(149, 100n));
  expect(more).toMatchObject({ status: "underpaid", amountReceived: 500n, paidAt: null });
  expect(more && applyEvent(more, transfer(149, 500n))).toMatchObject({ status: "paid", paidAt: minute(149) });
});

test("nothing is attached to a session that never had an account", () => {
  expect(applyEvent(aSession({ accountNumber: null }), attached(10, 1_000n))).toBeUndefined();
});

test("a transfer raises the amount received by exactly its amount, and the one that completes a session sets paid_at", () => {
  expect(applyEvent(sessionThatIs("pending"), transfer(10, 1_000n))).toMatchObject({
    amountReceived: 1_000n,
    paidAt: minute(10),
  });
  expect(applyEvent(sessionThatIs("expired"), transfer(40, 1_000n))).toMatchObject({
    amountReceived: 1_000n,
    paidAt: minute(40),
  });
  expect(applyEvent(sessionThatIs("paid"), transfer(20, 1_000n))).toMatchObject({
    amountReceived: 2_000n,
    paidAt: minute(1),
  });
});

test("reporting the money as sent moves the end to 30 minutes from then, never earlier, and the watch window with it", () => {
  expect(applyEvent(sessionThatIs("pending"), sent(10))).toMatchObject({
    sentAt: minute(10),
    expiresAt: minute(40),
    watchUntil: minute(160),
  });
  const brief: SessionEvent = { kind: "sent", at: minute(1), extensionMs: 60_000 };
  expect(applyEvent(sessionThatIs("pending"), brief)).toMatchObject({ expiresAt: minute(30), watchUntil: minute(150) });
});
