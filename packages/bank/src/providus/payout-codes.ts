import { PENDING, UNCERTAIN } from "../payout-states.ts";
import type { PayoutState } from "../port.ts";

const SUCCESS = "00";
/** The transfer failed, for a reason that the code does not give. */
const NOT_SUCCESSFUL = "32";
const IN_PROGRESS = "09";
/** Not known: the bank may not have it yet, or never get it, or have taken it back. */
const NOT_KNOWN = ["01", "25"];

/**
 * The codes by which NIP or the bank refuses a payout so that its money certainly did not move, with the reason for the merchant.
 * A code that is not here leaves room for doubt: duplicates (26, 94, 7709), time-outs (68, 91, 97, 999), failures of a system
 * (92, 96, 505, 7799, 8803), what is not found (01, 25) and refused credentials, which say nothing about the payout.
 */
const REFUSED_TRANSFER: ReadonlyMap<string, string> = new Map([
  ["05", "The beneficiary's bank declined the transfer."],
  ["06", "The beneficiary's account is dormant."],
  ["07", "The beneficiary's account does not exist."],
  ["08", "The beneficiary's name does not match the account."],
  ["16", "The bank does not know the beneficiary's bank."],
  ["34", "The bank suspects fraud."],
  ["51", "The bank could not execute the transfer."],
  ["61", "The amount is above a limit of the bank."],
  ["65", "The number of transfers is above a limit of the bank."],
  ["7701", "The bank could not execute the transfer."],
  ["7702", "The beneficiary's account does not exist."],
  ["7703", "The beneficiary's account is dormant."],
  ["7704", "The bank could not execute the transfer."],
  ["7708", "The beneficiary's account has another currency."],
  ["8888", "The beneficiary's account cannot be credited."],
]);
/** Those that can be about the request that they answer. In the answer to an enquiry they say nothing about the payout. */
const REFUSED_REQUEST: ReadonlyMap<string, string> = new Map([
  ["03", "The bank refused the sender."],
  ["12", "The bank declined the transfer."],
  ["13", "The bank refused the amount."],
  ["14", "The bank declined the transfer."],
  ["15", "The bank declined the transfer."],
  ["17", "The bank declined the transfer."],
  ["18", "The bank declined the transfer."],
  ["21", "The bank declined the transfer."],
  ["30", "The bank declined the transfer."],
  ["57", "The bank does not permit the transfer."],
  ["58", "The bank does not permit the transfer."],
  ["63", "The bank declined the transfer."],
]);

/** The state of a payout by the code with which the bank answers the order itself. 32 counts only once it is asked again. */
export function orderedState(code: string): PayoutState {
  return code === SUCCESS ? DONE : (refused(code, REFUSED_TRANSFER) ?? refused(code, REFUSED_REQUEST) ?? PENDING);
}

/** The same by the code with which it answers an enquiry. Undefined for a code that says nothing about the payout. */
export function enquiredState(code: string): PayoutState | undefined {
  if (code === SUCCESS) return DONE;
  if (code === IN_PROGRESS) return PENDING;
  if (NOT_KNOWN.includes(code)) return UNCERTAIN;
  return code === NOT_SUCCESSFUL ? failed(code, "The transfer was not successful.") : refused(code, REFUSED_TRANSFER);
}

const DONE: PayoutState = { status: "success", failureCode: null, failureReason: null };

function refused(code: string, reasons: ReadonlyMap<string, string>): PayoutState | undefined {
  const reason = reasons.get(code);
  return reason === undefined ? undefined : failed(code, reason);
}

const failed = (failureCode: string, failureReason: string): PayoutState => ({
  status: "failed",
  failureCode,
  failureReason,
});

/** A payout to a bank that is not on NIP, which is not even ordered. */
export const UNKNOWN_BANK = orderedState("16");

/** The bank could not be reached, and got nothing of the order. */
export const NOT_SENT = failed("not_sent", "The partner bank could not be reached. Order the transfer again later.");
