import { type Outcome, Problem } from "@collect/contracts";
import { percentage } from "@collect/money";

/**
 * What a payer sends for an outcome, given what is owed, in kobo. Undefined when nothing is sent.
 * Underpaid sends 90 % and overpaid 110 %, rounded to the kobo, and always at least one kobo less or more.
 */
export function amountSent(outcome: Outcome, owed: bigint): bigint | undefined {
  switch (outcome) {
    case "paid":
      return owed;
    case "underpaid":
      return underpaid(owed);
    case "overpaid":
      return max(percentage(owed, 110), owed + 1n);
    case "expired":
      return undefined;
    default:
      return outcome satisfies never;
  }
}

function underpaid(owed: bigint): bigint {
  const sent = percentage(owed, 90);
  if (sent > 0n && sent < owed) return sent;
  const message = "is too small to be underpaid";
  throw new Problem("validation_failed", "The amount is too small to be underpaid.", {
    errors: [{ param: "amount", code: "too_small", message }],
  });
}

const max = (one: bigint, other: bigint) => (one > other ? one : other);
