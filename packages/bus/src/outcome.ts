import { PROBLEMS, Problem } from "@collect/contracts";
import type { RequestOutcome } from "@collect/telemetry";

/** How a request ended that was refused or failed with this. */
export function outcomeOf(error: unknown): RequestOutcome {
  if (!(error instanceof Problem)) return "failed";
  const { status } = PROBLEMS[error.code];
  if (status === 503) return "unavailable";
  return status >= 500 ? "failed" : "refused";
}
