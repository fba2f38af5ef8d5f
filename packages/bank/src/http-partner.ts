import { AccountNumber, BankCode, PositiveNaira } from "@collect/contracts";
import { naira } from "@collect/money";
import { z } from "zod";
import { isNuban } from "./nuban.ts";
import type { AccountIssuer, Payout, PayoutBank, PayoutState } from "./port.ts";
import { createSignedCall, type SignedCallOptions } from "./signed-call.ts";

type HttpPartnerOptions = SignedCallOptions & {
  /** The code of our partner bank. A response for another bank is rejected. */
  code: string;
  name: string;
};

/** The partner bank over HTTP. The request id makes opening an account safe to repeat after any Problem. */
export function createHttpPartner(options: HttpPartnerOptions): AccountIssuer & PayoutBank {
  const { code, name } = options;
  const call = createSignedCall(options);
  return {
    code,
    name,

    async issueAccount({ requestId, accountName, signal }) {
      const response = await call({
        method: "POST",
        path: "/accounts",
        body: { request_id: requestId, account_name: accountName },
        schema: accountResponse(code, accountName),
        failure: "The partner bank could not issue the account. It is safe to repeat the call.",
        signal,
      });
      return { accountNumber: response.account_number, accountName: response.account_name };
    },

    async nameOf({ bankCode, accountNumber }) {
      const account = { bank_code: bankCode, account_number: accountNumber };
      const response = await call.find({
        method: "POST",
        path: "/name-enquiry",
        body: account,
        schema: sameAccount(account).extend({ account_name: BankText.refine((text) => text !== "", "is empty") }),
        failure: "The partner bank could not look up the account. It is safe to repeat the call.",
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
        schema: payoutResponse(payout),
        failure: "The partner bank did not return the payout's status.",
      });
      return stateOf(response);
    },

    async enquire(payout) {
      const response = await call.find({
        method: "GET",
        path: `/payouts/${encodeURIComponent(payout.id)}`,
        schema: payoutResponse(payout),
        failure: "The partner bank did not return the payout's status.",
      });
      return response && stateOf(response);
    },
  };
}

/** Text from a bank, sanitized so that it can be stored and displayed. */
const BankText = z.string().transform((text) =>
  text
    .slice(0, 200)
    .replace(/[\p{Cc}\p{Cs}]/gu, " ")
    .trim(),
);
const Reason = BankText.nullish().transform((text) => text || null);

const sameAccount = ({ bank_code, account_number }: { bank_code: string; account_number: string }) =>
  z.object({
    bank_code: BankCode.refine((code) => code === bank_code, "is another bank"),
    account_number: AccountNumber.refine((number) => number === account_number, "is another account"),
  });

/** Rejects an account of another bank or with another name. */
const accountResponse = (code: string, accountName: string) =>
  z.object({
    account_number: AccountNumber.refine((number) => isNuban(code, number), "is not an account number of the bank"),
    account_name: z.string().refine((name) => name === accountName, "is another name"),
    bank_code: z.literal(code),
  });

/** Rejects a response about another payout, account or amount. */
const payoutResponse = ({ id, bankCode, accountNumber, amount }: Payout) =>
  sameAccount({ bank_code: bankCode, account_number: accountNumber }).extend({
    id: z.literal(id),
    amount: PositiveNaira.refine((paid) => paid === amount, "is another amount"),
    status: z.enum(["pending", "success", "failed", "reversed"]),
    failure_code: Reason,
    failure_reason: Reason,
  });

function stateOf(response: z.output<ReturnType<typeof payoutResponse>>): PayoutState {
  return { status: response.status, failureCode: response.failure_code, failureReason: response.failure_reason };
}
