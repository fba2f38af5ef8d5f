import { AccountNumber, parseFields } from "@collect/contracts";
import { z } from "zod";
import { parseNotification } from "../json.ts";
import { reportedKobo } from "../naira.ts";
import type { BankReport, PayoutNotice, SettlementNotice } from "../port.ts";
import { cleanText, OptionalBankText } from "../text.ts";
import { bankByMonnifyCode } from "./bank-codes.ts";
import { monnifyInstant } from "./instant.ts";

/**
 * What an event says about our money: a payment into a reserved account is a credit, a refund that was completed takes back all
 * or a part of one, a settlement names the payments that were paid out in one sum, a payout that came back is asked about, and any other
 * event that names an account and an amount is kept for an operator. Undefined for the rest: payments that Monnify rejected or took by other
 * ways than an account, settlements of nothing, and other news of payouts, which are asked about until they end.
 */
export function parseEvent(bytes: Uint8Array): BankReport | SettlementNotice | PayoutNotice | undefined {
  const body = parseNotification(bytes);
  const { eventType } = parseFields(Event, body);
  if (eventType === "SUCCESSFUL_TRANSACTION") {
    const { product, destinationAccountInformation: destination } = parseFields(Product, body).eventData;
    if (product?.type !== "RESERVED_ACCOUNT" && !destination?.accountNumber) return undefined;
    return credit(parseFields(Payment, body).eventData);
  }
  if (eventType === "SUCCESSFUL_REFUND") return refund(parseFields(Refund, body).eventData);
  if (eventType === "SETTLEMENT") return settlement(parseFields(Settlement, body).eventData);
  if (eventType === "REVERSED_DISBURSEMENT") return { payoutId: parseFields(Payout, body).eventData.reference };
  const notice = Notice.safeParse(body);
  return notice.success ? noticeOf(eventType, notice.data.eventData) : undefined;
}

export function credit(payment: Payment): BankReport {
  const { transactionReference: id, amountPaid: amount, paymentStatus, paymentSourceInformation: sources } = payment;
  const [source] = sources;
  const reservation = reservationOf(payment.product);
  const notPaid = ![undefined, null, "PAID", "OVERPAID", "PARTIALLY_PAID"].includes(paymentStatus);
  return {
    ...unknownParts,
    ...(notPaid ? named(`payment_${paymentStatus}`.toLowerCase(), id) : { type: "credit", id }),
    sessionId: source?.sessionId ?? null,
    accountNumber: payment.destinationAccountInformation.accountNumber,
    ...(reservation !== undefined && { reservation }),
    ...charged(amount, payment.settlementAmount),
    currency: payment.currency.toUpperCase(),
    payer: {
      name: source?.accountName ?? "",
      accountNumber: source?.accountNumber ?? null,
      bankName: bankByMonnifyCode(source?.bankCode ?? "")?.name ?? null,
    },
    paidAt: payment.paidOn,
  };
}

/** A settlement of nothing is no news. */
const settlement = ({ settlementReference, transactions }: Settlement): SettlementNotice | undefined =>
  transactions.length === 0
    ? undefined
    : { settlementId: settlementReference, settled: transactions.map(settledTransfer) };

const settledTransfer = ({ transactionReference: id, amountPaid, product }: Settlement["transactions"][number]) => ({
  ...{ id, amount: amountPaid ?? null, reservation: reservationOf(product) ?? null },
});

/** Names the payment and not its account. */
const refund = ({
  refundReference,
  refundAmount,
  transactionReference,
  completedOn,
  merchantReason,
}: Refund): BankReport => ({
  ...unknownParts,
  ...named("reversal", refundReference),
  reverses: transactionReference,
  accountNumber: "",
  amount: refundAmount,
  currency: "NGN",
  narration: merchantReason,
  paidAt: completedOn,
});

/** Whatever Monnify calls it, its type is none that moves money here. */
const noticeOf = (
  eventType: string,
  { transactionReference, destinationAccountInformation, amountPaid }: Notice,
): BankReport => ({
  ...unknownParts,
  ...named(cleanText(`monnify_${eventType.toLowerCase().replace(/[^\w.-]/g, "_")}`, 40), transactionReference),
  accountNumber: destinationAccountInformation.accountNumber,
  amount: amountPaid,
  currency: "NGN",
});

/** What is not a credit has an id of its own, so that it never stands in the place of the credit that it names. */
const named = (type: string, reference: string) => ({ type, id: `${type}:${reference}` });

/** Monnify keeps one fee and does not say what of it is VAT (?); a payment without its net is taken as settled in full. */
const charged = (amount: bigint, settled: bigint | null) => ({
  amount,
  bankFee: amount - (settled ?? amount),
  bankVat: 0n,
});

const unknownParts = {
  ...{ reverses: null, sessionId: null, settlementId: null, bankFee: 0n, bankVat: 0n, narration: null, paidAt: null },
  payer: { name: "", accountNumber: null, bankName: null },
};

/** Naira as a number or a string. */
export const Naira = z.union([z.number(), z.string()]).transform((amount, context) => {
  const kobo = reportedKobo(amount);
  if (kobo !== undefined) return kobo;
  context.issues.push({ code: "custom", input: amount, message: "must be an amount in naira" });
  return z.NEVER;
});
const PaidNaira = Naira.refine((kobo) => kobo > 0n, "must be greater than 0");
/** Real money is never refused for what is not known beside its amount, account, currency and id. */
const SettledNaira = Naira.nullable().catch(null);
const Detail = OptionalBankText.catch(null);

/** Leaves room for the type that is put before it. */
const Reference = z.string().regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,58}$/u, "must be 1 to 58 printable characters");
const Time = z
  .string()
  .transform((text) => monnifyInstant(text) ?? null)
  .catch(null);

/** Under which the account was reserved. Of another product it says nothing about an account. */
const PaidProduct = z
  .object({ type: z.string(), reference: z.string().min(1).max(200) })
  .nullish()
  .catch(null);
export const reservationOf = (product: z.output<typeof PaidProduct>) =>
  product?.type === "RESERVED_ACCOUNT" ? product.reference : undefined;

const Event = z.object({ eventType: z.string().min(1).max(100) });

/** Information about nothing is an empty object. */
const Product = z.object({
  eventData: z.object({
    product: z.object({ type: z.string().optional() }).nullish(),
    destinationAccountInformation: z.object({ accountNumber: z.string().nullish() }).nullish(),
  }),
});

export const Source = z.object({
  bankCode: Detail,
  accountName: Detail,
  accountNumber: Detail.transform((text) => text?.slice(0, 34) ?? null),
  sessionId: Detail.transform((text) => text?.slice(0, 100) ?? null),
});

export const PaymentStatus = z.string().regex(/^\w{1,30}$/);

/** Of a payment, in its event and where Monnify is asked for it. */
export const PAYMENT = {
  transactionReference: Reference,
  paymentStatus: PaymentStatus.nullish().catch("unknown"),
  amountPaid: PaidNaira,
  settlementAmount: SettledNaira,
  currency: z.string().regex(/^[A-Za-z]{3}$/, "must be 3 letters"),
  paidOn: Time,
  paymentSourceInformation: z.union([z.array(Source), Source.transform((source) => [source])]).catch([]),
  product: PaidProduct,
};
const Payment = z.object({
  eventData: z.object({ ...PAYMENT, destinationAccountInformation: z.object({ accountNumber: AccountNumber }) }),
});
type Payment = z.output<typeof Payment>["eventData"];

const Refund = z.object({
  eventData: z.object({
    refundReference: Reference,
    transactionReference: Reference,
    refundAmount: PaidNaira,
    completedOn: Time,
    merchantReason: Detail,
  }),
});
type Refund = z.output<typeof Refund>["eventData"];

/** As many as the bytes of a notification have room for, about. */
const SETTLED_MAX = 10_000;
const Settlement = z.object({
  eventData: z.object({
    settlementReference: Reference,
    transactions: z
      .array(
        z.object({
          transactionReference: Reference,
          amountPaid: Naira.nullish().catch(null),
          product: PAYMENT.product,
        }),
      )
      .max(SETTLED_MAX),
  }),
});
type Settlement = z.output<typeof Settlement>["eventData"];

/** The reference is our id of the payout. */
const Payout = z.object({ eventData: z.object({ reference: Reference }) });

const Notice = z.object({
  eventData: z.object({
    transactionReference: Reference,
    amountPaid: PaidNaira,
    destinationAccountInformation: z.object({ accountNumber: AccountNumber }),
  }),
});
type Notice = z.output<typeof Notice>["eventData"];
