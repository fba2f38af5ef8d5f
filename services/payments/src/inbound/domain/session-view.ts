import type { Payment, SessionSnapshot } from "@collect/contracts";
import type { PaymentSession } from "./session.ts";

/** What one collection adds to the session that its merchant sees. */
export type AttachedCollection = { reference: string; amount: bigint; fee: bigint; net: bigint; paidAt: string };

/** The session as its merchant sees it. */
export function paymentOf(session: PaymentSession, collections: AttachedCollection[], checkoutUrl: string): Payment {
  return {
    reference: session.reference,
    merchant_reference: session.merchantReference,
    status: session.status,
    amount: session.amount,
    amount_requested: session.amountRequested,
    amount_received: session.amountReceived,
    currency: "NGN",
    account_number: session.accountNumber,
    account_name: session.accountName,
    bank_name: session.bankName,
    checkout_url: checkoutUrlOf(session, checkoutUrl),
    collects: ["bank_transfer"],
    customer_reference: session.customerReference,
    customer_name: nameOf(session),
    description: session.description,
    redirect_url: session.redirectUrl,
    collections: collections.map(({ reference, amount, fee, net, paidAt }) => ({
      reference,
      amount,
      fee,
      net,
      paid_at: paidAt,
    })),
    details_required: session.detailsRequired,
    opened_by: session.openedBy,
    payment_link: session.paymentLink,
    expires_at: session.expiresAt,
    created_at: session.createdAt,
    paid_at: session.paidAt,
    mode: session.mode,
  };
}

/** The session as whoever keeps a copy is told it. */
export function snapshotOf(session: PaymentSession): SessionSnapshot {
  const { merchantId, mode, ...told } = session;
  return {
    reference: told.reference,
    version: told.version,
    merchant: { id: merchantId, mode },
    merchantName: told.merchantName,
    status: told.status,
    amount: told.amount,
    amountRequested: told.amountRequested,
    amountReceived: told.amountReceived,
    accountNumber: told.accountNumber,
    accountName: told.accountName,
    bankName: told.bankName,
    description: told.description,
    redirectUrl: told.redirectUrl,
    detailsRequired: told.detailsRequired,
    openedBy: told.openedBy,
    createdAt: told.createdAt,
    expiresAt: told.expiresAt,
    watchUntil: told.watchUntil,
    paidAt: told.paidAt,
    kept: {
      merchantReference: told.merchantReference,
      customerReference: told.customerReference,
      customerName: told.customerName,
      payerName: told.payerName,
      payerEmail: told.payerEmail,
      sentAt: told.sentAt,
      paymentLink: told.paymentLink,
      linkKey: told.linkKey,
    },
  };
}

/** Where the payer is sent. */
export const checkoutUrlOf = ({ reference }: PaymentSession, checkoutUrl: string): string =>
  `${checkoutUrl.replace(/\/$/, "")}/pay/${reference}`;

/** Who pays: the merchant's customer, or whoever said so at the checkout. */
export const nameOf = ({ customerName, payerName }: PaymentSession): string | null => customerName ?? payerName;
