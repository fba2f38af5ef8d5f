import { Problem } from "@collect/contracts";
import { naira } from "@collect/money";
import { z } from "zod";
import { reportedKobo } from "../naira.ts";
import type { Payout, PayoutBank, PayoutState } from "../port.ts";
import { BankText, OptionalBankText } from "../text.ts";
import { monnifyBankCode } from "./bank-codes.ts";
import { type Monnify, type Refusal, refused } from "./client.ts";
import { REFUSALS, STATUSES, stateOf } from "./payout-state.ts";
import { unlistedBanks } from "./unlisted-banks.ts";

const FAILURE = "The partner bank did not return the payout's status.";
const MINIMUM_KOBO = 20_00n;
const NARRATION_MIN = 3;

export type Wallet = {
  /** The account number of the wallet from which payouts are sent. */
  sourceAccountNumber: string;
};

/** Single disbursements from our wallet, under our own id as Monnify's reference. */
export function createPayouts(monnify: Monnify, { sourceAccountNumber }: Wallet): PayoutBank {
  return {
    async nameOf({ bankCode, accountNumber }) {
      const query = new URLSearchParams({ accountNumber, bankCode: monnifyBankCode(bankCode) });
      const failure = "The partner bank could not look up the account. It is safe to repeat the call.";
      const path = `/api/v1/disbursements/account/validate?${query}`;
      const result = await monnify.request({ method: "GET", path, schema: holderOf(accountNumber), failure });
      if ("body" in result) return result.body.accountName;
      if (result.refusal.reason === "account" || result.refusal.reason === "not_found") return undefined;
      throw refused(failure, result.refusal);
    },

    async pay(payout) {
      if (payout.amount < MINIMUM_KOBO) return TOO_SMALL;
      const result = await monnify.request({
        method: "POST",
        path: "/api/v2/disbursements/single",
        body: { ...orderOf(payout), sourceAccountNumber },
        schema: disbursement(payout),
        failure: FAILURE,
      });
      if ("body" in result) return requireNoPassword(stateOf(result.body));
      const state = REFUSALS.get(result.refusal.code);
      if (state) return state;
      throw refused(FAILURE, result.refusal);
    },

    async enquire(payout) {
      const path = `/api/v2/disbursements/single/summary?${new URLSearchParams({ reference: payout.id })}`;
      const result = await monnify.request({ method: "GET", path, schema: disbursement(payout), failure: FAILURE });
      if ("body" in result) return requireNoPassword(stateOf(result.body));
      if (isUnknown(result.refusal)) return undefined;
      throw refused(FAILURE, result.refusal);
    },

    unlistedBanks: () => unlistedBanks(monnify),
  };
}

/** The payout fails if this lasts, so "not found" about anything else, such as our merchant account, is an error. */
const isUnknown = ({ code, status, reason }: Refusal) => code === "D02" || (status === 404 && reason === "no_payout");

const TOO_SMALL: PayoutState = {
  status: "failed",
  failureCode: "below_minimum",
  failureReason: "The partner bank sends ₦20.00 or more.",
};

/** `currency` is what Monnify's reference names, `currencyCode` what its own library sends. */
const orderOf = ({ id, bankCode, accountNumber, accountName, amount, narration }: Payout) => ({
  amount: naira(amount),
  reference: id,
  narration: narrationOf(narration),
  destinationBankCode: monnifyBankCode(bankCode),
  destinationAccountNumber: accountNumber,
  ...(accountName && { destinationAccountName: accountName }),
  currency: "NGN",
  currencyCode: "NGN",
});

/** Monnify refuses a shorter one, so the merchant's words then follow one of ours. */
function narrationOf(narration: string | null): string {
  const text = narration?.trim() ?? "";
  return text.length >= NARRATION_MIN ? text : `Transfer ${text}`.trim();
}

/** Money can still move once a person has given the password, so this is no failure; without one it expires at Monnify. */
function requireNoPassword(state: ReturnType<typeof stateOf>): PayoutState {
  if (state !== "otp_required") return state;
  throw new Problem(
    "provider_error",
    "Monnify asks for a one-time password before it sends the payout. Have it switched off for transfers by API.",
  );
}

const holderOf = (asked: string) =>
  z.object({
    accountNumber: z.string().refine((accountNumber) => accountNumber === asked, "is another account"),
    accountName: BankText.refine((text) => text !== "", "is empty"),
  });

/** Rejects a response about another payout, account or amount. */
const disbursement = ({ id, accountNumber, amount }: Payout) =>
  z.object({
    reference: z.string().refine((reference) => reference === id, "is another payout"),
    amount: z.union([z.number(), z.string()]).refine((paid) => reportedKobo(paid) === amount, "is another amount"),
    destinationAccountNumber: z
      .string()
      .refine((number) => number === accountNumber, "is another account")
      .nullish(),
    status: z.enum(STATUSES),
    comment: OptionalBankText,
    transactionDescription: OptionalBankText,
  });
