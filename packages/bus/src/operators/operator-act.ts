import type { OperatorAct, RequestContract } from "@collect/contracts";
import type { Msg } from "nats";
import { operatorOf } from "../access/operator-of.ts";
import { signatureOf } from "./signature.ts";

/**
 * The act that a request is, if it comes from an operator: because only operators send it, because it is signed, or because
 * the broker says so. A service that sends a request of the same kind records it itself, or acts for its own reasons.
 */
export function operatorActOf({ callers, operator }: RequestContract, message: Msg): OperatorAct | undefined {
  if (typeof operator !== "object") return undefined;
  const isOperators = callers.every((caller) => caller === "operator") || operatorOf(message) !== undefined;
  return isOperators || signatureOf(message.headers) ? operator : undefined;
}
