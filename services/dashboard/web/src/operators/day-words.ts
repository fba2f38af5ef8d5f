import type { Difference } from "@collect/dashboard/differences";
import { dateOf, startOfLagosDay } from "../components/lagos-time.ts";

/** `20 Nov 2026`, from `2026-11-20`. What is no day stays what it is. */
export const dayWords = (day: string): string => (Number.isNaN(Date.parse(day)) ? day : dateOf(startOfLagosDay(day)));

/** `20 Nov 2026`, or `1 Nov 2026 to 20 Nov 2026`. */
export const periodWords = (from: string, to: string): string =>
  from === to ? dayWords(from) : `${dayWords(from)} to ${dayWords(to)}`;

/** What a difference of each kind is, and what to do about it but to give a reason. */
export const ADVICE: Record<Difference, string> = {
  timing: "Only one side has it yet. The other may have it on a later day.",
  by_hand: "It was matched by hand.",
  charge: "The bank charged it to this account, and our ledger doesn't have it. Each charge is listed below.",
  bank_only:
    "The bank has it and we don't. If a customer was paid or a payout came back, credit it instead. If the bank took a credit back, reverse that transfer instead. If it is money of our own, also what stood there before the first statement, say so by Own funds; if the bank gave a charge back, by Charge given back.",
  books_only: "We have it and the bank doesn't. Ask the bank about it first.",
  different_amount:
    "Both sides have it, with different amounts. If the bank has more, a payment may be missing: ask the bank about it first.",
  ledger: "The ledger has posted something else than was received and paid out.",
  account_ended: "It is the first day without this account.",
};
