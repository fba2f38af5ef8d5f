import { AccountNumber, Instant, instantOf } from "@collect/contracts";
import { z } from "zod";
import { reportedKobo } from "../naira.ts";

/** Text from a bank that can be stored and displayed, without control characters. */
const text = (maximum: number) =>
  z
    .string()
    .max(maximum)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters");

/** An optional field is null once parsed. */
const optional = (maximum: number) =>
  text(maximum)
    .nullish()
    .transform((value) => value ?? null);

const ReportedNaira = z.number().transform((amount, context) => {
  const kobo = reportedKobo(amount);
  if (kobo !== undefined && kobo > 0n) return kobo;
  const message = kobo === undefined ? "must be naira with at most two decimals" : "must be greater than 0";
  context.issues.push({ code: "custom", input: amount, message });
  return z.NEVER;
});

/** What the bank kept. Only a person decides on one below zero, so it is not refused here. */
const Charge = z
  .number()
  .nullish()
  .transform((amount, context) => {
    const kobo = reportedKobo(Math.abs(amount ?? 0));
    if (kobo !== undefined) return (amount ?? 0) < 0 ? -kobo : kobo;
    context.issues.push({ code: "custom", input: amount, message: "must be naira with at most two decimals" });
    return z.NEVER;
  });

const Id = z.string().regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u, "must be 1 to 100 printable characters");

/** Any RFC 3339 time with an offset; UTC to the millisecond once parsed. */
const ReportedInstant = Instant.transform(inUtc).refine(
  (instant) => instant >= "2000",
  "must be a time of this millennium",
);

/** The fields of every report from the bank, of any type. */
const reportFields = {
  /** The bank's id of the transfer: a report with the same id is the same transfer. */
  id: Id,
  account_number: AccountNumber,
  amount: ReportedNaira,
  /** Any currency can be reported; only naira can be credited. */
  currency: z.string().regex(/^[A-Za-z]{3}$/, "must be 3 letters"),
  /** What the bank kept of the amount, or gives back of that with a reversal, and the VAT on it. */
  bank_fee: Charge,
  bank_vat: Charge,
  /** The 30 digits of NIP, and the bank's id of its settlement with us. */
  session_id: optional(40),
  settlement_id: optional(100),
};

/** A transfer into one of our accounts, as the partner bank posts it to `/bank/transfers`, with a signature header. */
export const BankTransfer = z.object({
  ...reportFields,
  type: z
    .literal("credit")
    .nullish()
    .transform(() => "credit" as const),
  payer: z.object({ name: text(200), account_number: optional(34), bank_name: optional(100) }),
  narration: optional(200),
  paid_at: ReportedInstant,
});
export type BankTransfer = z.output<typeof BankTransfer>;

/**
 * Any other report that the bank posts there. With a `reversal` it takes back a credit, or a part of one, under the id of the
 * credit or a new id. It is never credited, so only the identifying fields are required.
 */
export const BankNotice = z.object({
  ...reportFields,
  /** The id of the credit that a reversal takes back. */
  reverses: Id.nullish().transform((id) => id ?? null),
  /** When it was taken back. */
  paid_at: ReportedInstant.nullish().transform((instant) => instant ?? null),
  type: z.string().regex(/^[\w.-]{1,40}$/, "must be a type of report"),
});
export type BankNotice = z.output<typeof BankNotice>;

/** A report without a type, or with the type null, is a credit. */
export const isBankNotice = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "type" in body && body.type !== "credit" && body.type != null;

/** `2026-11-21T10:30:00.1239+01:00` to `2026-11-21T09:30:00.123+00:00`. Years beyond four digits sort before "2000". */
function inUtc(instant: string): string {
  return instantOf(new Date(instant));
}
