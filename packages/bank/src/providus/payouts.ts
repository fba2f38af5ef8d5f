import { naira } from "@collect/money";
import { z } from "zod";
import { reportedKobo } from "../naira.ts";
import { PENDING } from "../payout-states.ts";
import type { Payout, PayoutBank, PayoutState } from "../port.ts";
import { BankText } from "../text.ts";
import { CodedResponse, createTransferCall, type PayoutAccess } from "./payout-call.ts";
import { enquiredState, NOT_SENT, orderedState, UNKNOWN_BANK } from "./payout-codes.ts";
import { type PayoutSource, railOf, statusPathOf } from "./rails.ts";
import { unlistedBanks } from "./unlisted-banks.ts";

export type ProvidusPayoutOptions = PayoutAccess & PayoutSource;

const NO_STATUS = "The partner bank did not return the payout's status.";

/** Payouts through Providus. Our id is the reference, which the bank refuses a second time, whatever became of the first. */
export function createProvidusPayouts(options: ProvidusPayoutOptions): PayoutBank {
  const call = createTransferCall(options);
  return {
    async nameOf({ bankCode, accountNumber }) {
      const rail = railOf(bankCode, options);
      if (!rail) return undefined;
      return call({
        path: rail.holder.path,
        fields: rail.holder.fields(accountNumber),
        read: (response) => holderIn(response, accountNumber),
        failure: "The partner bank could not look up the account.",
        isRepeatable: true,
      });
    },

    async pay(payout) {
      const rail = railOf(payout.bankCode, options);
      if (!rail) return UNKNOWN_BANK;
      const order = {
        transactionReference: payout.id,
        transactionAmount: naira(payout.amount).toFixed(2),
        currencyCode: "NGN",
        narration: payout.narration ?? "",
      };
      return call({
        path: rail.order.path,
        fields: { ...order, ...rail.order.fields(payout) },
        read: (response) => orderState(response, payout),
        unsent: NOT_SENT,
        failure: NO_STATUS,
      });
    },

    // Asked whatever is known about banks today: it was ordered.
    async enquire(payout) {
      return call({
        path: statusPathOf(payout.bankCode),
        fields: { transactionReference: payout.id },
        read: (response) => statusIn(response, payout),
        failure: NO_STATUS,
        isRepeatable: true,
      });
    },

    unlistedBanks: () => unlistedBanks(call),
  };
}

const Holder = CodedResponse.extend({ accountNumber: z.string().nullish(), accountName: BankText.nullish() });
/** What the bank answers for an account that does not exist: over NIP 07 or 25, within the bank 7702. */
const NO_ACCOUNT = ["07", "25", "7702"];

/** The bank repeats the account, but the code of its bank in a form of its own. */
function holderIn(response: unknown, accountNumber: string): string | undefined {
  const holder = Holder.parse(response);
  if (NO_ACCOUNT.includes(holder.responseCode)) return undefined;
  if (holder.responseCode !== "00") throw new Error(`the partner bank answered with code ${holder.responseCode}`);
  if (holder.accountNumber !== accountNumber || !holder.accountName)
    throw new Error("the response is not about the account");
  return holder.accountName;
}

const Ordered = CodedResponse.extend({
  transactionReference: z.string().nullish(),
  /** In the answer to an order; of one that failed it is empty or a word. */
  sessionId: z.unknown().optional(),
});

function orderState(response: unknown, payout: Payout): PayoutState {
  const ordered = Ordered.parse(response);
  const state = isOf(payout, ordered.transactionReference) ? orderedState(ordered.responseCode) : PENDING;
  return withSession(state, ordered);
}

/** The session counts only for what was paid: it is looked for in the statement. */
function withSession(state: PayoutState, { transactionReference, sessionId }: z.output<typeof Ordered>): PayoutState {
  const named = [sessionId, transactionReference?.split("|")[1]?.trim()];
  const session = named.find((text) => typeof text === "string" && SESSION.test(text));
  return state.status === "success" && typeof session === "string" ? { ...state, sessionId: session } : state;
}
const SESSION = /^\d{30}$/;

/** The fields that repeat the order: over NIP a `recipientAccountNumber`, within the bank a `creditAccount`. */
const Status = Ordered.extend({
  amount: z.union([z.string(), z.number()]).nullish(),
  recipientAccountNumber: z.string().nullish(),
  creditAccount: z.string().nullish(),
});

/**
 * An end counts only if the response repeats the order. A payout that the bank does not know is pending until a person has spoken with
 * the bank; what says nothing about the payout, such as a time-out of the enquiry, is an error.
 */
function statusIn(response: unknown, payout: Payout): PayoutState {
  const status = Status.parse(response);
  const state = enquiredState(status.responseCode);
  if (!state) throw new Error(`the partner bank answered with code ${status.responseCode}`);
  if (state.status !== "pending" && !isAbout(payout, status)) throw new Error("the response is not about the payout");
  return withSession(state, status);
}

function isAbout(payout: Payout, status: z.output<typeof Status>): boolean {
  const isAccount = (status.recipientAccountNumber || status.creditAccount) === payout.accountNumber;
  const isAmount = status.amount != null && reportedKobo(status.amount) === payout.amount;
  return isOf(payout, status.transactionReference) && isAccount && isAmount;
}

/** The bank appends the session id of NIP: `trf_1| 000023211018133747005000003198`. */
const isOf = ({ id }: Payout, reference: string | null | undefined): boolean => reference?.split("|")[0]?.trim() === id;
