import { AccountNumber, BankCode, PositiveNaira } from "@collect/contracts";
import { naira } from "@collect/money";
import { z } from "zod";
import type { Payout, PayoutBank, PayoutState } from "../port.ts";
import { BankText, OptionalBankText } from "../text.ts";
import { createSignedCall, found, ok, type SignedCallOptions } from "./signed-call.ts";

/** Payouts through a bank that speaks our own protocol. */
export function createLocalPayouts(options: SignedCallOptions): PayoutBank {
  const call = createSignedCall(options);
  return {
    async nameOf({ bankCode, accountNumber }) {
      const account = { bank_code: bankCode, account_number: accountNumber };
      const response = await call({
        method: "POST",
        path: "/name-enquiry",
        body: account,
        read: found(sameAccount(account).extend({ account_name: BankText.refine((text) => text !== "", "is empty") })),
        failure: "The partner bank could not look up the account.",
        isRepeatable: true,
      });
      return response?.account_name;
    },

    async pay(payout) {
      const { id, bankCode, accountNumber, amount, narration } = payout;
      const order = { id, bank_code: bankCode, account_number: accountNumber, amount: naira(amount) };
      const response = await call({
        method: "POST",
        path: "/payouts",
        body: { ...order, ...(narration && { narration }) },
        read: ok(payoutResponse(payout)),
        failure: "The partner bank did not return the payout's status.",
      });
      return stateOf(response);
    },

    async enquire(payout) {
      const response = await call({
        method: "GET",
        path: `/payouts/${encodeURIComponent(payout.id)}`,
        read: found(payoutResponse(payout)),
        failure: "The partner bank did not return the payout's status.",
        isRepeatable: true,
      });
      return response && stateOf(response);
    },
  };
}

const sameAccount = ({ bank_code, account_number }: { bank_code: string; account_number: string }) =>
  z.object({
    bank_code: BankCode.refine((code) => code === bank_code, "is another bank"),
    account_number: AccountNumber.refine((number) => number === account_number, "is another account"),
  });

/** Rejects a response about another payout, account or amount. */
const payoutResponse = ({ id, bankCode, accountNumber, amount }: Payout) =>
  sameAccount({ bank_code: bankCode, account_number: accountNumber }).extend({
    id: z.literal(id),
    amount: PositiveNaira.refine((paid) => paid === amount, "is another amount"),
    status: z.enum(["pending", "success", "failed", "reversed"]),
    failure_code: OptionalBankText,
    failure_reason: OptionalBankText,
  });

function stateOf(response: z.output<ReturnType<typeof payoutResponse>>): PayoutState {
  return { status: response.status, failureCode: response.failure_code, failureReason: response.failure_reason };
}
