import { PENDING, UNCERTAIN } from "../payout-states.ts";
import type { PayoutState } from "../port.ts";

/** Every status that Monnify's documentation names. Another one is an error: the payout is asked about again. */
export const STATUSES = [
  "PENDING",
  "AWAITING_PROCESSING",
  "IN_PROGRESS",
  "PENDING_AUTHORIZATION",
  "PENDING_BATCH_AUTHORIZATION",
  "OTP_EMAIL_DISPATCH_FAILED",
  "SUCCESS",
  "COMPLETED",
  "FAILED",
  "EXPIRED",
  "REVERSED",
] as const;
type Disbursement = {
  status: (typeof STATUSES)[number];
  /** Why it failed: in the response to the order, and in the summary. */
  comment: string | null;
  transactionDescription: string | null;
};

/** What a disbursement's status means for the payout, or that it waits for a one-time password. */
export function stateOf(disbursement: Disbursement): PayoutState | "otp_required" {
  switch (disbursement.status) {
    case "SUCCESS":
    case "COMPLETED":
      return { ...PENDING, status: "success" };
    case "FAILED":
      return failureOf(disbursement);
    case "EXPIRED":
      return failed("expired", "The partner bank did not authorize the transfer in time.");
    case "REVERSED":
      return { status: "reversed", failureCode: "returned", failureReason: "The partner bank took the transfer back." };
    case "PENDING_AUTHORIZATION":
    case "PENDING_BATCH_AUTHORIZATION":
    case "OTP_EMAIL_DISPATCH_FAILED":
      return "otp_required";
    case "PENDING":
    case "AWAITING_PROCESSING":
    case "IN_PROGRESS":
      return PENDING;
  }
}

const failed = (failureCode: string, failureReason: string): PayoutState => ({
  status: "failed",
  failureCode,
  failureReason,
});

/** Our own wallet is no business of a merchant: nothing left its balance, and it can order again. */
const NOT_FUNDED = failed(
  "partner_balance",
  "The partner bank could not send the transfer at the time. Order it again later.",
);
const INVALID_ACCOUNT = failed("invalid_account", "The partner bank does not know the account.");

/**
 * Refusals of an order after which the money certainly did not move. D05 and D07 say that the same was ordered before, perhaps by
 * this order: it is asked about. So are D01 ("something went wrong"), 99, and whatever is not here.
 */
export const REFUSALS: ReadonlyMap<string, PayoutState> = new Map([
  ["D03", INVALID_ACCOUNT],
  ["D04", NOT_FUNDED],
  ["D05", PENDING],
  ["D06", failed("partner_refused", "The partner bank did not accept the transfer. Order it again later.")],
  ["D07", PENDING],
]);

/**
 * The reasons after which the money is certainly still ours, as Monnify's table of errors words them. For others, such as a time-out,
 * it says to ask again.
 */
const DEFINITE: readonly [RegExp, PayoutState][] = [
  [/^(you do not have sufficient|insufficient wallet) balance/i, NOT_FUNDED],
  [/^(invalid destination account|account number could not be validated)/i, INVALID_ACCOUNT],
  [/^dormant beneficiary account/i, failed("dormant_account", "The account is dormant.")],
  [
    /^beneficiary account name mismatch/i,
    failed("name_mismatch", "The account's name is not the one that was looked up."),
  ],
  [/^beneficiary account limit exceeded/i, failed("account_limit", "The account cannot receive this amount.")],
  [
    /^(post no credit restriction|sender not permitted to credit)/i,
    failed("account_restricted", "The account cannot be credited."),
  ],
  [
    /^(rejected by destination institution|suspected fraud)/i,
    failed("declined", "The beneficiary's bank declined the transfer."),
  ],
];

/** A failure whose reason leaves room for doubt is none: the beneficiary's bank may still credit the account. */
function failureOf({ comment, transactionDescription }: Disbursement): PayoutState {
  const reason = comment ?? transactionDescription ?? "";
  return DEFINITE.find(([pattern]) => pattern.test(reason))?.[1] ?? UNCERTAIN;
}
