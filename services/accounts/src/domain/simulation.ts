import { type Outcome, Problem } from "@collect/contracts";
import { formatNaira, PAYMENT_MAX_KOBO, percentage } from "@collect/money";

/** The amount of a session, and the amount still missing. In kobo. */
export type SessionAmounts = { amount: bigint; amount_missing: bigint; is_open: boolean };

/** The amounts that a payer owes and sends; undefined when nothing is sent. In kobo. */
export type SimulatedPayment = { owed: bigint; sent: bigint | undefined };

/**
 * A payment into a customer's account. The amount owed is the amount given, otherwise the amount missing from the open session.
 * For underpaid or overpaid, a given amount that is already less or more than the missing amount is sent unchanged.
 */
export function customerPayment(
  outcome: Outcome,
  { amount, session }: { amount: bigint | undefined; session: SessionAmounts | null },
): SimulatedPayment {
  const missing = session && session.amount_missing > 0n ? session.amount_missing : undefined;
  const owed = amount ?? missing;
  if (owed === undefined) throw amountRequired();
  const isAsRequested =
    missing !== undefined &&
    ((outcome === "underpaid" && owed < missing) || (outcome === "overpaid" && owed > missing));
  return { owed, sent: isAsRequested ? withinLimit(owed) : amountSent(outcome, owed) };
}

/** The amount owed for a session requested by its reference: the missing amount, or the full amount again once it is closed. */
export function owedBy({ amount, amount_missing, is_open }: SessionAmounts): bigint {
  return is_open && amount_missing > 0n ? amount_missing : amount;
}

/**
 * The amount that a payer sends for an outcome, given the amount owed. Undefined when nothing is sent.
 * Underpaid sends 90 % and overpaid 110 %, rounded to the kobo, and always at least one kobo less or more.
 */
export function amountSent(outcome: Outcome, owed: bigint): bigint | undefined {
  switch (outcome) {
    case "paid":
      return withinLimit(owed);
    case "underpaid":
      return withinLimit(underpaid(owed));
    case "overpaid":
      return withinLimit(overpaid(owed));
    case "expired":
      return undefined;
    default:
      return outcome satisfies never;
  }
}

function underpaid(owed: bigint): bigint {
  const sent = percentage(owed, 90);
  if (sent > 0n && sent < owed) return sent;
  throw wrongAmount("too_small", "is too small to be underpaid", "The amount is too small to be underpaid.");
}

function overpaid(owed: bigint): bigint {
  const tenPercentMore = percentage(owed, 110);
  return tenPercentMore > owed ? tenPercentMore : owed + 1n;
}

/** A single payment of test money must not exceed the limit for automatic credit. */
export function withinLimit(sent: bigint, param = "amount"): bigint {
  if (sent <= PAYMENT_MAX_KOBO) return sent;
  const limit = `at most ${formatNaira(PAYMENT_MAX_KOBO)}`;
  throw wrongAmount("too_big", `must result in a payment of ${limit}`, `A payment may be ${limit}.`, param);
}

const amountRequired = () =>
  wrongAmount(
    "required",
    "is required: no payment session is open",
    "amount is required when no payment session is open.",
  );

const wrongAmount = (code: string, message: string, detail: string, param = "amount") =>
  new Problem("validation_failed", detail, { errors: [{ param, code, message }] });
