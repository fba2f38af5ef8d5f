import { AccountNumber, BankCode, PositiveNaira } from "@collect/contracts";
import { naira } from "@collect/money";
import { z } from "zod";
import { isNuban } from "./nuban.ts";
import type { AccountIssuer, Payout, PayoutBank, PayoutState } from "./port.ts";
import { createSignedCall } from "./signed-call.ts";

export type HttpPartnerOptions = {
  /** The bank we have the contract with: an answer in another bank's name is not believed. */
  code: string;
  name: string;
  /** Where its interface stands; `/accounts`, `/name-enquiry` and `/payouts` follow. */
  url: string;
  secret: string;
  /** How long one call may take in all, waiting for a connection and reading the answer included. */
  timeoutMs: number;
};

/** The partner bank over HTTP. Its request id makes opening an account safe to repeat after every Problem. */
export function createHttpPartner(options: HttpPartnerOptions): AccountIssuer & PayoutBank {
  const { code, name } = options;
  const call = createSignedCall(options);
  return {
    code,
    name,

    async issueAccount({ requestId, accountName, signal }) {
      const answer = await call({
        method: "POST",
        path: "/accounts",
        body: { request_id: requestId, account_name: accountName },
        schema: accountOf(code, accountName),
        failure: "The partner bank could not issue the account. It is safe to repeat the call.",
        signal,
      });
      return { accountNumber: answer.account_number, accountName: answer.account_name };
    },

    async nameOf({ bankCode, accountNumber }) {
      const asked = { bank_code: bankCode, account_number: accountNumber };
      const answer = await call.find({
        method: "POST",
        path: "/name-enquiry",
        body: asked,
        schema: same(asked).extend({ account_name: Words.refine((words) => words !== "", "is empty") }),
        failure: "The partner bank could not look the account up. It is safe to repeat the call.",
      });
      return answer?.account_name;
    },

    async pay(payout) {
      const { id, bankCode, accountNumber, amount, narration } = payout;
      const order = { id, bank_code: bankCode, account_number: accountNumber, amount: naira(amount) };
      const answer = await call({
        method: "POST",
        path: "/payouts",
        body: { ...order, ...(narration && { narration }) },
        schema: answerAbout(payout),
        failure: "The partner bank did not say how the payout stands.",
      });
      return stateOf(answer);
    },

    async enquire(payout) {
      const answer = await call.find({
        method: "GET",
        path: `/payouts/${encodeURIComponent(payout.id)}`,
        schema: answerAbout(payout),
        failure: "The partner bank did not say how the payout stands.",
      });
      return answer && stateOf(answer);
    },
  };
}

/** A bank's own words, fit to be stored and shown, whatever it sent. */
const Words = z.string().transform((words) =>
  words
    .slice(0, 200)
    .replace(/[\p{Cc}\p{Cs}]/gu, " ")
    .trim(),
);
const Reason = Words.nullish().transform((words) => words || null);

const same = ({ bank_code, account_number }: { bank_code: string; account_number: string }) =>
  z.object({
    bank_code: BankCode.refine((code) => code === bank_code, "is another bank"),
    account_number: AccountNumber.refine((number) => number === account_number, "is another account"),
  });

/** An account of another bank or in another name is not believed. */
const accountOf = (code: string, accountName: string) =>
  z.object({
    account_number: AccountNumber.refine((number) => isNuban(code, number), "is not an account number of the bank"),
    account_name: z.string().refine((name) => name === accountName, "is another name"),
    bank_code: z.literal(code),
  });

/** An answer about another payout, another account or another amount is not believed. */
const answerAbout = ({ id, bankCode, accountNumber, amount }: Payout) =>
  same({ bank_code: bankCode, account_number: accountNumber }).extend({
    id: z.literal(id),
    amount: PositiveNaira.refine((paid) => paid === amount, "is another amount"),
    status: z.enum(["pending", "success", "failed", "reversed"]),
    failure_code: Reason,
    failure_reason: Reason,
  });

function stateOf(answer: z.output<ReturnType<typeof answerAbout>>): PayoutState {
  return { status: answer.status, failureCode: answer.failure_code, failureReason: answer.failure_reason };
}
