import { type FieldError, type Input, Problem, type sandboxPay } from "@collect/contracts";

/** What a sandbox payment is for: a session, or whatever is open for exactly this amount. */
export type Aim = { reference: string } | { amount: bigint };

type Asking = Pick<Input<typeof sandboxPay>, "outcome" | "amount" | "payment_reference" | "amount_sent">;

/** One of amount and payment_reference, never both; and nothing is sent when the payment expires. */
export function aimOf({ outcome, amount, payment_reference: reference, amount_sent }: Asking): Aim {
  if (outcome === "expired" && amount_sent !== undefined)
    throw refused([{ param: "amount_sent", code: "not_allowed", message: "is not allowed with expired" }]);
  if (amount !== undefined && reference === undefined) return { amount };
  if (reference !== undefined && amount === undefined) return { reference };
  const isMissing = amount === undefined;
  const code = isMissing ? "required" : "not_allowed";
  const message = isMissing ? "is required, or the other of the two" : "is not allowed beside the other of the two";
  throw refused(["amount", "payment_reference"].map((param) => ({ param, code, message })));
}

const refused = (errors: FieldError[]) =>
  new Problem(
    "validation_failed",
    "Provide either amount or payment_reference; provide amount_sent only when money is sent.",
    { errors },
  );
