import type { Collection, CollectionRecord, getCollection, Metadata, Mode, Result } from "@collect/contracts";

import { reversedOf } from "./session-view.ts";

/** What the bank took back of it. */
type ShownReversal = { reference: string; amount: bigint; fee: bigint; net: bigint; reversedAt: string };

/** A collection with its payer, as stored. Fields of the payer that the bank did not report are empty strings. */
export type CollectionView = {
  reference: string;
  amount: bigint;
  fee: bigint;
  net: bigint;
  customerReference: string | null;
  customerName: string | null;
  accountNumber: string;
  paymentReference: string | null;
  merchantReference: string | null;
  paidAt: string;
  receivedAt: string;
  createdAt: string;
  attachedAt: string | null;
  /** Null where an earlier release decided. */
  metadata: Metadata | null;
  mode: Mode;
  payerId: bigint;
  payerName: string;
  payerAccountNumber: string;
  payerBankName: string;
  /** The NIP session id, where the bank reported it. */
  sessionId: string | null;
  /** How much of it the bank took back. */
  amountReversed: bigint;
};

/** The collection as the dashboard shows it; its lists leave the metadata out. */
export function collectionOf(view: CollectionView): Result<typeof getCollection>["collection"] {
  return {
    reference: view.reference,
    amount: view.amount,
    fee: view.fee,
    net: view.net,
    currency: "NGN",
    customer_reference: view.customerReference,
    customer_name: view.customerName,
    account_number: view.accountNumber,
    payer: payerOf({
      id: view.payerId,
      name: view.payerName,
      accountNumber: view.payerAccountNumber,
      bankName: view.payerBankName,
    }),
    payment_reference: view.paymentReference,
    merchant_reference: view.merchantReference,
    paid_at: view.paidAt,
    received_at: view.receivedAt,
    created_at: view.createdAt,
    attached_at: view.attachedAt,
    ...reversedOf(view),
    metadata: view.metadata ?? {},
    mode: view.mode,
  };
}

/** What other services know of a collection. */
type Elsewhere = Pick<Collection, "settlement_id" | "event"> & { reversals: ShownReversal[] };

/** The collection as a merchant's server reads it: the data of its event, and what is known of it by now. */
export function collectionByKeyOf(view: CollectionView, { settlement_id, event, reversals }: Elsewhere): Collection {
  const { payer, received_at: _received, ...shown } = collectionOf(view);
  const { id: _id, ...sender } = payer;
  return {
    ...{ ...shown, rail: "bank", payer_name: view.payerName, payer: sender },
    ...{ settlement_id, event, bank_session_id: view.sessionId },
    ...(reversals.length > 0 && {
      reversals: reversals.map(({ reference, amount, fee, net, reversedAt }) => ({
        ...{ reference, amount, fee, net, reversed_at: reversedAt },
      })),
    }),
  };
}

type PayerView = { id: bigint; name: string; accountNumber: string; bankName: string };

export function payerOf({ id, name, accountNumber, bankName }: PayerView): CollectionRecord["payer"] {
  return { id: String(id), name, account_number: accountNumber || null, bank_name: bankName || null };
}
