import { naira } from "@collect/money";
import { z } from "zod";
import { netOf, type Payment, type Settlement } from "./payments.ts";
import { dayFirst, lagosTime, TIME_FORMS } from "./times.ts";

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

/** The answer about a payment: what its event says, with the payer under another name, and without the account that was paid into. */
export function paymentResponse(payment: Payment) {
  const { eventData } = paymentEvent(payment, EventForm.parse({ time_form: "offset", amount_form: "strings" }));
  const { paymentSourceInformation, destinationAccountInformation: _, ...named } = eventData;
  const [accountDetails] = paymentSourceInformation as object[];
  return { ...named, accountDetails, accountPayments: paymentSourceInformation };
}

/** One sum for the net of all its payments, each of which it names with its gross amount. */
export function settlementEvent({ reference, payments, settledAt }: Settlement): Event {
  const eventData = {
    amount: naira(netOf(payments)).toFixed(2),
    settlementTime: dayFirst(settledAt),
    settlementReference: reference,
    destinationAccountNumber: "6000000249",
    destinationBankName: "Fidelity Bank",
    destinationAccountName: "Collections",
    transactionsCount: payments.length,
    transactions: payments.map(({ reservation, amount, ...payment }) => ({
      product: { reference: reservation, type: "RESERVED_ACCOUNT" },
      transactionReference: payment.reference,
      paymentReference: payment.reference,
      paidOn: dayFirst(new Date(payment.paid_at)),
      amountPaid: amount.toFixed(2),
      totalPayable: amount.toFixed(2),
      paymentStatus: payment.status,
    })),
  };
  return { eventType: "SETTLEMENT", eventData };
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
