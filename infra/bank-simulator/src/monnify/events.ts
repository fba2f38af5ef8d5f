import { z } from "zod";
import { NairaAmount } from "../parse.ts";
import type { Payment } from "./payments.ts";
import { lagosTime, TIME_FORMS } from "./times.ts";

/** The body of a notification. */
export type Event = { eventType: string; eventData: Record<string, unknown> };

/** How an event is written: all of these have been seen. */
export const EventForm = z.object({
  time: z.enum(["plain", "day_first", "offset"]).default("plain"),
  amounts: z.enum(["numbers", "strings"]).default("numbers"),
  source: z.enum(["list", "object"]).default("list"),
  /** Another amount than Monnify confirms when it is asked. */
  amount: NairaAmount.optional(),
});
export type EventForm = z.output<typeof EventForm>;

export function paymentEvent(payment: Payment, { time, amounts, source, amount: reported }: EventForm): Event {
  const paid = reported ?? payment.amount;
  const amount = amounts === "strings" ? paid.toFixed(2) : paid;
  const paidFrom = {
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
    paidOn: TIME_FORMS[time](new Date(payment.paid_at)),
    paymentDescription: payment.account_name,
    metaData: {},
    paymentSourceInformation: source === "list" ? [paidFrom] : paidFrom,
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
  };
  return { eventType: "SUCCESSFUL_TRANSACTION", eventData };
}

export type RefundOrder = { refund_reference: string; transaction_reference: string; amount: number; reason: string };

export function refundEvent(refund: RefundOrder, now: Date): Event {
  const eventData = {
    merchantReason: refund.reason,
    transactionReference: refund.transaction_reference,
    completedOn: lagosTime(now),
    refundStatus: "COMPLETED",
    customerNote: "refund",
    createdOn: lagosTime(now),
    refundReference: refund.refund_reference,
    refundAmount: refund.amount,
  };
  return { eventType: "SUCCESSFUL_REFUND", eventData };
}
