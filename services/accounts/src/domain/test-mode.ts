import { type MerchantScope, Problem } from "@collect/contracts";

/** A caller with a live key is refused before any lookup. */
export function assertTestMode({ mode }: MerchantScope): void {
  if (mode !== "test") throw new Problem("test_key_required", "Payments can be simulated in test mode only.");
}

export const accountRetired = () =>
  new Problem("account_retired", "The account is retired and cannot receive payments.");
