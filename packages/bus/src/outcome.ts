import { PROBLEMS, Problem } from "@collect/contracts";
import type { RequestOutcome } from "@collect/telemetry";

/** How a request ended that was refused or failed with this. */
export function outcomeOf(error: unknown): RequestOutcome {
  if (!(error instanceof Problem)) return "failed";
  // The response of a service of a later release may have a code that this one does not know.
  const { status } = Object.hasOwn(PROBLEMS, error.code) ? PROBLEMS[error.code] : PROBLEMS.internal_error;
  if (status === 503) return "unavailable";
  return status >= 500 ? "failed" : "refused";
}
