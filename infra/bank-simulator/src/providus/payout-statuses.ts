import { naira } from "@collect/money";
import type { Books, Payout } from "./books.ts";
import { resultOf } from "./payout-codes.ts";
import { writeTime } from "./times.ts";

export type PayoutStatuses = ReturnType<typeof createPayoutStatuses>;

type Enquiry = { transactionReference: string };

/** What the bank says about a payout, by our reference. */
export function createPayoutStatuses({ books, sourceAccount }: { books: Books; sourceAccount: string }) {
  return {
    /** The session id of NIP is appended to the reference. */
    overNip({ transactionReference }: Enquiry): object {
      const payout = books.payouts.get(transactionReference);
      if (!payout) return { ...UNKNOWN, recipientBankCode: "", recipientAccountNumber: "" };
      return {
        ...statusOf(payout),
        recipientBankCode: payout.bank,
        recipientAccountNumber: payout.accountNumber,
        transactionReference: `${payout.reference}| ${payout.sessionId}`,
        currency: "1",
      };
    },

    within({ transactionReference }: Enquiry): object {
      const payout = books.payouts.get(transactionReference);
      if (!payout) return { ...UNKNOWN, creditAccount: "", debitAccount: "" };
      const accounts = { creditAccount: payout.accountNumber, debitAccount: sourceAccount };
      return { ...statusOf(payout), ...accounts, transactionReference, currency: "NGN" };
    },
  };
}

const UNKNOWN = { amount: "", transactionReference: "", transactionDateTime: "", currency: "", ...resultOf("01") };

const statusOf = ({ amount, orderedAt, code }: Payout) => ({
  amount: naira(BigInt(amount)).toFixed(2),
  transactionDateTime: writeTime(new Date(orderedAt), "plain"),
  ...resultOf(code),
});
