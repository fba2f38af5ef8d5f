import { type Outcome, Problem } from "@collect/contracts";
import { formatNaira, PAYMENT_MAX_KOBO, percentage } from "@collect/money";

/** What a session asked for, and what it still misses. In kobo. */
export type Asking = { amount: bigint; amount_missing: bigint; is_open: boolean };

/** What a payer owes, and sends; undefined when nothing is sent. In kobo. */
export type SimulatedPayment = { owed: bigint; sent: bigint | undefined };

/**
 * A payment into a customer's account. Owed is the amount given, or else what the open session misses. Whoever asks for
 * underpaid or overpaid and gives an amount that already is less or more than that, sends it as it is.
 */
export function customerPayment(
  outcome: Outcome,
  { amount, session }: { amount: bigint | undefined; session: Asking | null },
): SimulatedPayment {
  const missing = session && session.amount_missing > 0n ? session.amount_missing : undefined;
  const owed = amount ?? missing;
  if (owed === undefined) throw amountRequired();
  const isAlready =
    missing !== undefined &&
    ((outcome === "underpaid" && owed < missing) || (outcome === "overpaid" && owed > missing));
  return { owed, sent: isAlready ? withinLimit(owed) : amountSent(outcome, owed) };
}

/** What a session is paid that was named by its reference: what it still misses, and once it is closed its amount again. */
export function owedBy({ amount, amount_missing, is_open }: Asking): bigint {
  return is_open && amount_missing > 0n ? amount_missing : amount;
}

/**
 * What a payer sends for an outcome, given what is owed. Undefined when nothing is sent.
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

/** No single payment of test money is larger than what a bank may credit by itself. */
export function withinLimit(sent: bigint, param = "amount"): bigint {
  if (sent <= PAYMENT_MAX_KOBO) return sent;
  const limit = `at most ${formatNaira(PAYMENT_MAX_KOBO)}`;
  throw wrongAmount("too_big", `must make a payment of ${limit}`, `One payment may bring ${limit}.`, param);
}

const amountRequired = () =>
  wrongAmount(
    "required",
    "is required: no payment session is open",
    "amount is required when no payment session is open.",
  );

const wrongAmount = (code: string, message: string, detail: string, param = "amount") =>
  new Problem("validation_failed", detail, { errors: [{ param, code, message }] });
