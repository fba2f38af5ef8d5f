import { type FieldError, type Input, Problem, type sandboxPay } from "@collect/contracts";

/** The target of a sandbox payment: a session, or any open session for exactly this amount. */
export type RequestedTarget = { reference: string } | { amount: bigint };

type Given = Pick<Input<typeof sandboxPay>, "outcome" | "amount" | "payment_reference" | "amount_sent">;

/** Requires exactly one of amount and payment_reference, and no amount_sent when the payment expires. */
export function parseTarget({ outcome, amount, payment_reference: reference, amount_sent }: Given): RequestedTarget {
  if (outcome === "expired" && amount_sent !== undefined)
    throw refused([{ param: "amount_sent", code: "not_allowed", message: "is not allowed with expired" }]);
  if (amount !== undefined && reference === undefined) return { amount };
  if (reference !== undefined && amount === undefined) return { reference };
  const isMissing = amount === undefined;
  const code = isMissing ? "required" : "not_allowed";
  const message = isMissing ? "is required if the other field is not set" : "is not allowed if the other field is set";
  throw refused(["amount", "payment_reference"].map((param) => ({ param, code, message })));
}

const refused = (errors: FieldError[]) =>
  new Problem(
    "validation_failed",
    "Provide either amount or payment_reference; provide amount_sent only when money is sent.",
    { errors },
  );
