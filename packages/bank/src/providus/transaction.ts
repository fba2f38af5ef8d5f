import { AccountNumber, parseFields } from "@collect/contracts";
import { z } from "zod";
import { lagosInstant } from "../lagos-time.ts";
import { reportedKobo } from "../naira.ts";
import type { BankReport } from "../port.ts";
import { cleanText } from "../text.ts";

/** Text that is missing or cannot be read is empty; the bank writes a missing value as a space or the word null as well. */
const Text = z
  .string()
  .transform((text) => (text.trim() === "null" ? "" : cleanText(text)))
  .catch("");
const Amount = z.unknown().optional();

/** A transfer, as a notification has it and the bank returns it. Only its values differ: strings and numbers. */
const Transaction = z.object({
  settlementId: Text,
  sessionId: Text,
  accountNumber: Text,
  transactionAmount: Amount,
  settledAmount: Amount,
  feeAmount: Amount,
  vatAmount: Amount,
  currency: Text,
  sourceAccountNumber: Text,
  sourceAccountName: Text,
  sourceBankName: Text,
  tranRemarks: Text,
  tranDateTime: Text,
});
type Transaction = z.output<typeof Transaction>;

/** A response always has an amount: 0 if the bank does not know the transfer. */
const Confirmed = Transaction.extend({ transactionAmount: z.union([z.string(), z.number()]) });

/** A notification names a transfer by its settlement id. Its other fields prove nothing. */
const Hint = Transaction.extend({
  settlementId: z
    .string()
    .trim()
    .regex(/^[\w.|/-]{1,100}$/, "must be 1 to 100 letters and digits"),
});

/** What a notification claims. Throws the Problem `validation_failed` if it names no transfer. */
export function claimedTransfer(body: unknown): BankReport {
  const claim = parseFields(Hint, body);
  const amount = kobo(claim.transactionAmount) ?? 0n;
  return reportOf(claim, { amount, ...(chargesOf(claim, amount) ?? { bankFee: 0n, bankVat: 0n }) });
}

/** By which of its ids the bank is asked for a transfer. */
export type SoughtTransfer = { settlementId: string } | { sessionId: string };

/**
 * What the bank returns for the transfer with this settlement id, or session id: undefined if it does not know it, or not completely. Throws
 * if the response is about another transfer or contradicts itself.
 */
export function confirmedTransfer(sought: SoughtTransfer, response: unknown): BankReport | undefined {
  // An error has a code, a transfer has none.
  if (z.object({ responseCode: z.string() }).safeParse(response).success)
    throw new Error("the bank refused the request");
  const transfer = Confirmed.parse(response);
  const amount = kobo(transfer.transactionAmount);
  if (amount === undefined) throw new Error("the amount of the transfer cannot be read");
  const { accountNumber, currency } = transfer;
  if (amount === 0n || !transfer.settlementId || !currency || !AccountNumber.safeParse(accountNumber).success)
    return undefined;
  const isSought =
    "settlementId" in sought ? transfer.settlementId === sought.settlementId : transfer.sessionId === sought.sessionId;
  if (!isSought) throw new Error("the response is about another transfer");
  const charges = chargesOf(transfer, amount);
  if (!charges) throw new Error("the charges of the transfer cannot be read, or contradict its amount");
  return reportOf(transfer, { amount, ...charges });
}

/**
 * What reached our account is `settledAmount`, where the bank says it: seen were samples that name a fee and settle the whole
 * amount. A transfer that is not settled yet has 0 there, and its charges are the fee and the VAT. Undefined for what cannot be
 * read or contradicts the amount; of what was settled, a fee or VAT that cannot be read, such as a fraction of a kobo, counts for 0.
 */
function chargesOf(transfer: Transaction, amount: bigint): { bankFee: bigint; bankVat: bigint } | undefined {
  const [settled, fee, vat] = [transfer.settledAmount, transfer.feeAmount, transfer.vatAmount].map(kobo);
  if (settled === undefined || (settled === 0n && (fee === undefined || vat === undefined))) return undefined;
  const [namedFee, namedVat] = [fee ?? 0n, vat ?? 0n];
  const charges = settled === 0n ? namedFee + namedVat : amount - settled;
  if (charges < 0n || charges > amount) return undefined;
  const bankVat = namedVat < charges ? namedVat : charges;
  return { bankFee: charges - bankVat, bankVat };
}

function reportOf(transfer: Transaction, amounts: Pick<BankReport, "amount" | "bankFee" | "bankVat">): BankReport {
  return {
    type: "credit",
    id: transfer.settlementId,
    reverses: null,
    sessionId: cleanText(transfer.sessionId, 100) || null,
    settlementId: transfer.settlementId,
    accountNumber: transfer.accountNumber,
    ...amounts,
    currency: transfer.currency.toUpperCase(),
    payer: {
      name: transfer.sourceAccountName,
      accountNumber: cleanText(transfer.sourceAccountNumber, 34) || null,
      bankName: cleanText(transfer.sourceBankName, 100) || null,
    },
    narration: transfer.tranRemarks || null,
    paidAt: lagosInstant(transfer.tranDateTime) ?? null,
  };
}

/** A missing amount is 0; undefined for one that cannot be read. */
function kobo(amount: unknown): bigint | undefined {
  if (amount == null || amount === "") return 0n;
  return typeof amount === "string" || typeof amount === "number" ? reportedKobo(amount) : undefined;
}
