import { type MerchantStanding, Problem, VERIFICATION_STATES } from "@collect/contracts";
import { z } from "zod";

type Known = { state: string | null; verified: boolean; suspension: MerchantStanding["suspension"] };

const State = z.enum(VERIFICATION_STATES);

/** A suspension comes before everything else; a merchant is verified once it was approved, by whichever command. */
export function standingOf({ state, verified, suspension }: Known): Omit<MerchantStanding, "merchant_id"> {
  if (suspension) return { standing: "suspended", verified, suspension };
  if (verified) return { standing: "verified", verified, suspension };
  const current = State.parse(state ?? "draft");
  return { standing: current === "approved" ? "draft" : current, verified, suspension };
}

/** Refuses a new live key. Test keys need no verification, and a suspended merchant goes on testing. */
export function assertMayHaveKey(
  mode: "test" | "live",
  merchant: { verified_at: Date | null; suspended_at: Date | null },
): void {
  if (mode === "test") return;
  if (merchant.suspended_at)
    throw new Problem(
      "merchant_suspended",
      "This business is suspended, and gets no new live keys until it is resumed.",
    );
  if (!merchant.verified_at)
    throw new Problem("verification_required", "Live keys are available once the business is verified.");
}
