import type { SessionSnapshot } from "@collect/contracts";
import { isOpen } from "./freshness.ts";

/**
 * Test money is offered while a session waits for some: once its payer has said who they are, as a payer would be asked first. What is
 * paid is left alone, so that pressing twice does not pay twice.
 */
export function canSimulate(session: SessionSnapshot): boolean {
  if (isOpen(session)) return !session.detailsRequired;
  return session.status === "underpaid" || session.status === "expired";
}
