import type { PaymentSession } from "../../src/inbound/domain/session.ts";

const BASE = Date.parse("2026-11-21T09:00:00.000Z");
export const minute = (n: number): string => new Date(BASE + n * 60_000).toISOString();

/** 1,000 kobo, created at minute 0, ends at minute 30, watched until minute 150. */
export function aSession(given: Partial<PaymentSession> = {}): PaymentSession {
  return {
    reference: "pay_1",
    merchantId: "mer_1",
    mode: "test",
    merchantName: "Ada Stores",
    merchantReference: null,
    openedBy: "secret_key",
    paymentLink: null,
    linkKey: null,
    clientNonce: null,
    amount: 1_000n,
    amountRequested: 950n,
    amountReceived: 0n,
    amountReversed: 0n,
    accountNumber: "0000000017",
    accountName: "Ada Stores",
    bankName: "Test Bank",
    quotedAt: null,
    customerReference: null,
    customerName: null,
    payerName: null,
    payerEmail: null,
    detailsRequired: true,
    description: null,
    redirectUrl: null,
    status: "pending",
    createdAt: minute(0),
    expiresAt: minute(30),
    sentAt: null,
    watchUntil: minute(150),
    paidAt: null,
    metadata: {},
    version: 1,
    ...given,
  };
}
