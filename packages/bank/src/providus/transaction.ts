import { AccountNumber, parseFields } from "@collect/contracts";
import { z } from "zod";
import { lagosInstant } from "../lagos-time.ts";
import { reportedKobo } from "../naira.ts";
import type { BankReport } from "../port.ts";
import { cleanText } from "../text.ts";

/** Missing text is empty, and the bank writes a missing value as a space or the word null as well. */
const Text = z
  .string()
  .nullish()
  .transform((text) => (text?.trim() === "null" ? "" : cleanText(text ?? "")));
const Amount = z.union([z.string(), z.number()]).nullish();

/** A transfer, as a notification and the answer to a question about it have it. Only its values differ: strings and numbers. */
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

/** An answer always has an amount: 0 if the bank does not know the transfer. */
const Confirmed = Transaction.extend({ transactionAmount: z.union([z.string(), z.number()]) });

/** A notification names a transfer by its settlement id. Its other fields prove nothing: what cannot be read is left empty. */
const Hint = Transaction.extend({
  settlementId: z
    .string()
    .trim()
    .regex(/^[\w.|/-]{1,100}$/, "must be 1 to 100 letters and digits"),
});

/** What a notification claims. Throws the Problem `validation_failed` if it names no transfer. */
export function claimedTransfer(body: unknown): BankReport {
  const claim = parseFields(Hint, body);
  return reportOf(claim, { amount: kobo(claim.transactionAmount) ?? 0n, bankFee: 0n, bankVat: 0n });
}

/**
 * What the bank answers about the transfer with this settlement id: undefined if it does not know it, or not completely. Throws
 * if the answer is about another transfer or contradicts itself.
 */
export function confirmedTransfer(settlementId: string, answer: unknown): BankReport | undefined {
  // An error has a code, a transfer has none.
  if (z.object({ responseCode: z.string() }).safeParse(answer).success)
    throw new Error("the bank refused the question");
  const transfer = Confirmed.parse(answer);
  const amount = kobo(transfer.transactionAmount);
  if (amount === undefined) throw new Error("the amount of the transfer cannot be read");
  const { accountNumber, currency } = transfer;
  if (amount === 0n || !transfer.settlementId || !currency || !AccountNumber.safeParse(accountNumber).success)
    return undefined;
  if (transfer.settlementId !== settlementId) throw new Error("the answer is about another transfer");
  return reportOf(transfer, { amount, ...chargesOf(transfer, amount) });
}

/**
 * What reached our account is `settledAmount`, where the bank says it: seen were samples that name a fee and settle the whole
 * amount. A transfer that is not settled yet has 0 there, and its charges are the fee and the VAT.
 */
function chargesOf(transfer: Transaction, amount: bigint): { bankFee: bigint; bankVat: bigint } {
  const [settled, fee, vat] = [transfer.settledAmount, transfer.feeAmount, transfer.vatAmount].map(kobo);
  if (settled === undefined || fee === undefined || vat === undefined)
    throw new Error("the charges of the transfer cannot be read");
  const charges = settled === 0n ? fee + vat : amount - settled;
  if (charges < 0n || charges > amount) throw new Error("the charges of the transfer contradict its amount");
  const bankVat = vat < charges ? vat : charges;
  return { bankFee: charges - bankVat, bankVat };
}

function reportOf(transfer: Transaction, amounts: Pick<BankReport, "amount" | "bankFee" | "bankVat">): BankReport {
  return {
    type: "credit",
    id: transfer.settlementId,
    reverses: null,
    sessionId: transfer.sessionId.slice(0, 100) || null,
    settlementId: transfer.settlementId,
    accountNumber: transfer.accountNumber,
    ...amounts,
    currency: transfer.currency.toUpperCase(),
    payer: {
      name: transfer.sourceAccountName,
      accountNumber: transfer.sourceAccountNumber.slice(0, 34) || null,
      bankName: transfer.sourceBankName.slice(0, 100) || null,
    },
    narration: transfer.tranRemarks || null,
    paidAt: lagosInstant(transfer.tranDateTime) ?? null,
  };
}

/** A missing amount is 0. */
function kobo(amount: z.output<typeof Amount>): bigint | undefined {
  return amount == null || amount === "" ? 0n : reportedKobo(amount);
}
