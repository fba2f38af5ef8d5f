import { z } from "zod";
import type { Payment } from "./payments.ts";
import { lagosTime, TIME_FORMS } from "./times.ts";

/** The body of a notification. */
export type Event = { eventType: string; eventData: Record<string, unknown> };

/** How a payment is written: all of these forms have been seen. */
export const EventForm = z.object({
  time_form: z.enum(["plain", "day_first", "offset"]).default("plain"),
  amount_form: z.enum(["numbers", "strings"]).default("numbers"),
  source_form: z.enum(["list", "object"]).default("list"),
  /** Fields of the event that are not what Monnify confirms, such as `{"amountPaid":9999}`. */
  claims: z.record(z.string(), z.unknown()).default({}),
});
export type EventForm = z.output<typeof EventForm>;

export function paymentEvent(payment: Payment, { time_form, amount_form, source_form, claims }: EventForm): Event {
  const amount = amount_form === "strings" ? payment.amount.toFixed(2) : payment.amount;
  const source = {
    bankCode: payment.payer.bank_code,
    amountPaid: amount,
    accountName: payment.payer.name,
    sessionId: payment.payer.session_id,
    accountNumber: payment.payer.account_number,
  };
  const eventData = {
    product: { reference: payment.reservation, type: "RESERVED_ACCOUNT" },
    transactionReference: payment.reference,
    paymentReference: payment.reference,
    paidOn: TIME_FORMS[time_form](new Date(payment.paid_at)),
    paymentDescription: payment.account_name,
    metaData: {},
    paymentSourceInformation: source_form === "list" ? [source] : source,
    destinationAccountInformation: {
      bankCode: payment.bank_code,
      bankName: payment.bank_name,
      accountNumber: payment.account_number,
    },
    amountPaid: amount,
    totalPayable: amount,
    cardDetails: {},
    paymentMethod: "ACCOUNT_TRANSFER",
    currency: "NGN",
    settlementAmount: payment.settled,
    paymentStatus: payment.status,
    customer: { name: payment.account_name, email: `${payment.reservation}@customers.invalid` },
    ...claims,
  };
  return { eventType: "SUCCESSFUL_TRANSACTION", eventData };
}

type Refund = { refund_reference: string; transaction_reference: string; amount: number; reason: string };

export function refundEvent({ refund_reference, transaction_reference, amount, reason }: Refund, now: Date): Event {
  const eventData = {
    merchantReason: reason,
    transactionReference: transaction_reference,
    completedOn: lagosTime(now),
    refundStatus: "COMPLETED",
    customerNote: "refund",
    createdOn: lagosTime(now),
    refundReference: refund_reference,
    refundAmount: amount,
  };
  return { eventType: "SUCCESSFUL_REFUND", eventData };
}
