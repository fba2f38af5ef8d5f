import { AccountNumber, parseFields } from "@collect/contracts";
import { z } from "zod";
import { parseNotification } from "../json.ts";
import { reportedKobo } from "../naira.ts";
import type { BankReport } from "../port.ts";
import { cleanText, OptionalBankText } from "../text.ts";
import { bankByMonnifyCode } from "./bank-codes.ts";
import { monnifyInstant } from "./instant.ts";

/**
 * What an event says about our money: a payment into a reserved account is a credit, a refund that was completed takes back all
 * or a part of one, and any other event that names an account and an amount is kept for an operator. Undefined for the rest:
 * payments that Monnify rejected or took by other ways than an account, settlements of our own wallet, and payouts, which are
 * asked about.
 */
export function parseEvent(bytes: Uint8Array): BankReport | undefined {
  const body = parseNotification(bytes);
  const { eventType } = parseFields(Event, body);
  if (eventType === "SUCCESSFUL_TRANSACTION") {
    const { product, destinationAccountInformation: destination } = parseFields(Product, body).eventData;
    if (product?.type !== "RESERVED_ACCOUNT" && !destination?.accountNumber) return undefined;
    return credit(parseFields(Payment, body).eventData);
  }
  if (eventType === "SUCCESSFUL_REFUND") return refund(parseFields(Refund, body).eventData);
  const notice = Notice.safeParse(body);
  return notice.success ? noticeOf(eventType.toLowerCase(), notice.data.eventData) : undefined;
}

function credit(payment: Payment): BankReport {
  const { transactionReference: id, amountPaid: amount, paymentStatus, paymentSourceInformation: sources } = payment;
  const [source] = sources;
  const notPaid = ![undefined, null, "PAID", "OVERPAID", "PARTIALLY_PAID"].includes(paymentStatus);
  return {
    ...unknownParts,
    ...(notPaid ? named(`payment_${paymentStatus}`.toLowerCase(), id) : { type: "credit", id }),
    sessionId: source?.sessionId || null,
    accountNumber: payment.destinationAccountInformation.accountNumber,
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

/** Names the payment and not its account, which Monnify is asked for: until then there is none. */
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

const noticeOf = (
  type: string,
  { transactionReference, destinationAccountInformation, amountPaid }: Notice,
): BankReport => ({
  ...unknownParts,
  ...named(cleanText(type.replace(/[^\w.-]/g, "_"), 40), transactionReference),
  accountNumber: destinationAccountInformation.accountNumber,
  amount: amountPaid,
  currency: "NGN",
});

/** What is not a credit has an id of its own, so that it never stands in the place of the credit that it names. */
const named = (type: string, reference: string) => ({ type, id: `${type}:${reference}` });

/** Monnify keeps one fee and does not say what of it is VAT (?); a payment without its net is taken as settled in full. */
export const charged = (amount: bigint, settled: bigint | null) => ({
  amount,
  bankFee: amount - (settled ?? amount),
  bankVat: 0n,
});

const unknownParts = {
  ...{ reverses: null, sessionId: null, settlementId: null, bankFee: 0n, bankVat: 0n, narration: null, paidAt: null },
  payer: { name: "", accountNumber: null, bankName: null },
};

/** Naira as a number or a string. */
const Naira = z.union([z.number(), z.string()]).transform((amount, context) => {
  const kobo = reportedKobo(amount);
  if (kobo !== undefined) return kobo;
  context.issues.push({ code: "custom", input: amount, message: "must be an amount in naira" });
  return z.NEVER;
});
export const PaidNaira = Naira.refine((kobo) => kobo > 0n, "must be greater than 0");
export const SettledNaira = Naira.nullish().transform((kobo) => kobo ?? null);

/** Leaves room for the type that is put before it. */
export const Reference = z
  .string()
  .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,58}$/u, "must be 1 to 58 printable characters");
const Time = z.string().transform((text, context) => {
  const instant = monnifyInstant(text);
  if (instant !== undefined) return instant;
  context.issues.push({ code: "custom", input: text, message: "must be a time" });
  return z.NEVER;
});

const Event = z.object({ eventType: z.string().min(1).max(100) });

/** Information about nothing is an empty object. */
const Product = z.object({
  eventData: z.object({
    product: z.object({ type: z.string().optional() }).nullish(),
    destinationAccountInformation: z.object({ accountNumber: z.string().nullish() }).nullish(),
  }),
});

const Source = z.object({
  bankCode: z.string().nullish(),
  accountName: OptionalBankText,
  accountNumber: OptionalBankText.transform((text) => text?.slice(0, 34) ?? null),
  sessionId: OptionalBankText.transform((text) => text?.slice(0, 100) ?? null),
});

const Payment = z.object({
  eventData: z.object({
    transactionReference: Reference,
    paymentStatus: z
      .string()
      .regex(/^\w{1,30}$/, "must be a status")
      .nullish(),
    amountPaid: PaidNaira,
    settlementAmount: SettledNaira,
    currency: z.string().regex(/^[A-Za-z]{3}$/, "must be 3 letters"),
    paidOn: Time,
    destinationAccountInformation: z.object({ accountNumber: AccountNumber }),
    paymentSourceInformation: z
      .union([z.array(Source), Source.transform((source) => [source])])
      .nullish()
      .transform((sources) => sources ?? []),
  }),
});
type Payment = z.output<typeof Payment>["eventData"];

const Refund = z.object({
  eventData: z.object({
    refundReference: Reference,
    transactionReference: Reference,
    refundAmount: PaidNaira,
    completedOn: Time.nullish().transform((time) => time ?? null),
    merchantReason: OptionalBankText,
  }),
});
type Refund = z.output<typeof Refund>["eventData"];

const Notice = z.object({
  eventData: z.object({
    transactionReference: Reference,
    amountPaid: PaidNaira,
    destinationAccountInformation: z.object({ accountNumber: AccountNumber }),
  }),
});
type Notice = z.output<typeof Notice>["eventData"];
