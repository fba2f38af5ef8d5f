import { createHmac } from "node:crypto";
import { z } from "zod";
import { isSame } from "../constant-time.ts";
import type { BankReport, Notifications } from "../port.ts";
import { type Monnify, refused } from "./client.ts";
import { charged, PaidNaira, parseEvent, Reference, SettledNaira } from "./event.ts";
import { givenAccount, Reservation } from "./issuing.ts";

const SIGNATURE_HEADER = "monnify-signature";
const FAILURE = "The partner bank did not confirm the payment.";

export type MonnifyNotifications = Notifications & Required<Pick<Notifications, "confirm">>;

export type NotificationOptions = {
  /** The key of the signature of what Monnify reports: the same that proves our calls. */
  secretKey: string;
  /** Keys that still prove reports while the secret key is replaced. */
  formerSecretKeys?: readonly string[];
  /** Whether each payment is asked for before it is credited, although the signature covers its report. */
  confirmsCredits?: boolean;
};

/** What Monnify reports to the bank door. Any answer with status 200 ends its tries; it repeats after all others. */
export function createNotifications(
  monnify: Monnify,
  { secretKey, formerSecretKeys = [], confirmsCredits = false }: NotificationOptions,
): MonnifyNotifications {
  return {
    path: "/bank/monnify",
    authenticate: ({ headers, body }) =>
      [secretKey, ...formerSecretKeys].some((key) => isSame(headers[SIGNATURE_HEADER], signatureOf(body, key))),
    parse: parseEvent,
    /** The signature covers a report, so what is complete is asked for only if that is configured. A refund lacks its account. */
    async confirm(report) {
      const isComplete = report.reverses === null;
      if (isComplete && (report.type !== "credit" || !confirmsCredits)) return report;
      const known = await reservedPayment(monnify, report.reverses ?? report.id);
      if (!known) return undefined;
      return isComplete ? confirmed(report, known) : { ...report, accountNumber: known.givenAccountNumber };
    },
    answer: (outcome) =>
      outcome === "rejected" || outcome === "failed" ? undefined : { status: 200, body: { status: outcome } },
  };
}

/** Over the bytes as they came. Monnify's own library serializes the body again first, and so refuses some of its notifications. */
const signatureOf = (body: Uint8Array, secretKey: string) => createHmac("sha512", secretKey).update(body).digest("hex");

type ReservedPayment = NonNullable<Awaited<ReturnType<typeof reservedPayment>>>;

/** Monnify's amounts count. It knows the payment's reservation, not its account. */
function confirmed(report: BankReport, { payment, accountNumbers }: ReservedPayment): BankReport | undefined {
  if (payment.paymentStatus !== "PAID" || !accountNumbers.includes(report.accountNumber)) return undefined;
  return {
    ...report,
    ...charged(payment.amountPaid, payment.settlementAmount),
    currency: payment.currency.toUpperCase(),
  };
}

/** A payment and the accounts into which it can have been made; undefined if Monnify does not know one of the two. */
async function reservedPayment(monnify: Monnify, reference: string) {
  const signal = monnify.deadline();
  const find = async <Output>(path: string, schema: z.ZodType<Output>) => {
    const result = await monnify.request({ method: "GET", path, schema, failure: FAILURE, signal });
    if ("body" in result) return result.body;
    if (result.refusal.reason === "not_found") return undefined;
    throw refused(FAILURE, result.refusal);
  };
  const payment = await find(`/api/v2/transactions/${encodeURIComponent(reference)}`, Payment);
  if (payment?.transactionReference !== reference) return undefined;
  const reservation = payment.product.reference;
  const reserved = await find(
    `/api/v2/bank-transfer/reserved-accounts/${encodeURIComponent(reservation)}`,
    Reservation,
  );
  const given = reserved && givenAccount(reserved);
  if (!given) return undefined;
  const accountNumbers = reserved.accounts.map(({ accountNumber }) => accountNumber);
  return { payment, accountNumbers, givenAccountNumber: given.accountNumber };
}

const Payment = z.object({
  transactionReference: Reference,
  paymentStatus: z.string(),
  amountPaid: PaidNaira,
  settlementAmount: SettledNaira,
  currency: z.string().regex(/^[A-Za-z]{3}$/),
  product: z.object({ reference: z.string().min(1).max(200) }),
});
