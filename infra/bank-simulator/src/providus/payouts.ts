import { naira } from "@collect/money";
import { type Books, type Payout, sessionIdAt } from "./books.ts";
import { bankAtNip, existsAt, holderWithin } from "./directory.ts";
import { type PayoutCodes, resultOf } from "./payout-codes.ts";
import type { NipOrder, OwnOrder } from "./transfer-calls.ts";

export type Payouts = ReturnType<typeof createPayouts>;

type Deps = { books: Books; codes: PayoutCodes; sourceAccount: string };
type Order = Pick<Payout, "reference" | "amount" | "bank" | "accountNumber" | "narration">;
type Given = { transactionReference: string; transactionAmount: number; narration: string };

/** Payouts from the settlement account. A reference is executed once; the bank refuses it a second time. */
export function createPayouts({ books, codes, sourceAccount }: Deps) {
  const isKnown = ({ transactionReference }: Given) => books.payouts.get(transactionReference) !== undefined;
  const isFunded = ({ transactionAmount }: Given) => transactionAmount <= books.balance().balance;

  /** What is refused, by the first code that applies, is not in the books: the bank does not know it when asked. */
  function place(order: Order, refusals: [code: string, applies: boolean][]): { code: string; sessionId: string } {
    const [refusal] = refusals.find(([, applies]) => applies) ?? [];
    if (refusal) return { code: refusal, sessionId: "" };
    const now = new Date();
    const { order: code, status } = codes.next();
    const sessionId = sessionIdAt(now);
    books.payouts.put({ ...order, code: status, sessionId, orderedAt: now.toISOString() });
    return { code, sessionId };
  }

  return {
    payOverNip({ beneficiaryAccountNumber: accountNumber, beneficiaryBank, ...given }: NipOrder): object {
      const bank = bankAtNip(beneficiaryBank);
      const { code, sessionId } = place({ accountNumber, bank: beneficiaryBank, ...orderOf(given) }, [
        ["94", isKnown(given)],
        ["16", !bank],
        ["07", bank !== undefined && !existsAt(bank, accountNumber)],
        ["51", !isFunded(given)],
      ]);
      const session = code === "32" ? "Transfer_Not_Successful" : sessionId;
      return { transactionReference: given.transactionReference, sessionId: session, ...resultOf(code) };
    },

    payWithin({ creditAccount: accountNumber, debitAccount, ...given }: OwnOrder): object {
      const { code } = place({ accountNumber, bank: "000023", ...orderOf(given) }, [
        ["7709", isKnown(given)],
        ["7701", debitAccount !== sourceAccount],
        ["7702", !holderWithin(books, accountNumber)],
        ["7704", !isFunded(given)],
      ]);
      const amount = naira(BigInt(given.transactionAmount)).toFixed(2);
      return { amount, transactionReference: given.transactionReference, currency: "NGN", ...resultOf(code) };
    },
  };
}

const orderOf = (given: Given) => ({
  reference: given.transactionReference,
  amount: given.transactionAmount,
  narration: given.narration,
});
