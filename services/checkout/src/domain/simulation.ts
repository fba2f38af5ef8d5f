import type { SessionSnapshot } from "@collect/contracts";
import { isOpen } from "./freshness.ts";

/**
 * A transfer can be simulated while the session may receive one, and after its payer has given the required details.
 * Not for a paid session, so that pressing twice does not pay twice.
 */
export function canSimulate(session: SessionSnapshot): boolean {
  if (isOpen(session)) return !session.detailsRequired;
  return session.status === "underpaid" || session.status === "expired";
}
