import { type CreatedPayment, type Payment, type SessionSnapshot, UNASSIGNED_ACCOUNT } from "@collect/contracts";
import type { PaymentSession } from "./session.ts";

/** A collection as it appears in a payment. */
export type AttachedCollection = {
  reference: string;
  amount: bigint;
  fee: bigint;
  net: bigint;
  paidAt: string;
  amountReversed: bigint;
};

/** How much banks took back; absent if they took nothing. */
export const reversedOf = ({ amountReversed }: { amountReversed: bigint }) =>
  amountReversed > 0n ? { amount_reversed: amountReversed } : {};

/** The payment object of the merchant API. */
export function paymentOf(session: PaymentSession, collections: AttachedCollection[], checkoutUrl: string): Payment {
  return {
    reference: session.reference,
    merchant_reference: session.merchantReference,
    status: session.status,
    amount: session.amount,
    amount_requested: session.amountRequested,
    amount_received: session.amountReceived,
    ...reversedOf(session),
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
    collections: collections.map(({ reference, amount, fee, net, paidAt, ...collection }) => ({
      ...{ reference, amount, fee, net, paid_at: paidAt },
      ...reversedOf(collection),
    })),
    details_required: session.detailsRequired,
    opened_by: session.openedBy,
    payment_link: session.paymentLink,
    expires_at: session.expiresAt,
    created_at: session.createdAt,
    paid_at: session.paidAt,
    metadata: session.metadata,
    mode: session.mode,
  };
}

/** The same of a session that a secret key created, which always has its account. */
export function createdPaymentOf(...given: Parameters<typeof paymentOf>): CreatedPayment {
  const { accountNumber, accountName, bankName, reference } = given[0];
  if (accountNumber === null || accountName === null || bankName === null)
    throw new Error(`session ${reference} was created with a secret key, without an account`);
  return { ...paymentOf(...given), account_number: accountNumber, account_name: accountName, bank_name: bankName };
}

/** The session as it is published to services that keep copies. */
export function snapshotOf(session: PaymentSession): SessionSnapshot {
  const { merchantId, mode, ...fields } = session;
  return {
    reference: fields.reference,
    version: fields.version,
    merchant: { id: merchantId, mode },
    merchantName: fields.merchantName,
    status: fields.status,
    amount: fields.amount,
    amountRequested: fields.amountRequested,
    amountReceived: fields.amountReceived,
    ...(fields.amountReversed > 0n && { amountReversed: fields.amountReversed }),
    ...assignedAccount(session),
    description: fields.description,
    redirectUrl: fields.redirectUrl,
    detailsRequired: fields.detailsRequired,
    openedBy: fields.openedBy,
    createdAt: fields.createdAt,
    expiresAt: fields.expiresAt,
    watchUntil: fields.watchUntil,
    paidAt: fields.paidAt,
    kept: {
      merchantReference: fields.merchantReference,
      customerReference: fields.customerReference,
      customerName: fields.customerName,
      payerName: fields.payerName,
      payerEmail: fields.payerEmail,
      sentAt: fields.sentAt,
      paymentLink: fields.paymentLink,
      linkKey: fields.linkKey,
      quotedAt: fields.quotedAt,
      clientNonce: fields.clientNonce,
      metadata: fields.metadata,
    },
  };
}

function assignedAccount({ accountNumber, accountName, bankName }: PaymentSession) {
  if (accountNumber === null || accountName === null || bankName === null) return UNASSIGNED_ACCOUNT;
  return { accountNumber, accountName, bankName };
}

/** The URL of the payment page. */
export const checkoutUrlOf = ({ reference }: PaymentSession, checkoutUrl: string): string =>
  `${checkoutUrl.replace(/\/$/, "")}/pay/${reference}`;

/** The name of the payer: the merchant's customer, or the name given at the checkout. */
export const nameOf = ({ customerName, payerName }: PaymentSession): string | null => customerName ?? payerName;
