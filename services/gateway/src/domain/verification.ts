import { invalidFields, Problem, type VERIFICATION_STATES } from "@collect/contracts";

export type VerificationState = (typeof VERIFICATION_STATES)[number];
export type VerificationAct = "save" | "submit" | "approve" | "return";

const NEXT: Record<VerificationState, Partial<Record<VerificationAct, VerificationState>>> = {
  draft: { save: "draft", submit: "submitted" },
  submitted: { approve: "approved", return: "returned" },
  // A returned submission shows its reason until it is resubmitted.
  returned: { save: "returned", submit: "submitted" },
  approved: {},
};

/** The state after an act; throws `conflict` if the act is not allowed in this state. */
export function stateAfter(state: VerificationState, act: VerificationAct): VerificationState {
  const next = NEXT[state][act];
  if (next) return next;
  if (act === "approve" || act === "return")
    throw new Problem("conflict", `Only a submitted verification can be decided; this one is ${STANDING[state]}.`);
  throw new Problem("conflict", `The business verification is ${STANDING[state]}; it cannot be changed now.`);
}

const STANDING: Record<VerificationState, string> = {
  draft: "a draft",
  submitted: "with the operator",
  returned: "with the merchant",
  approved: "approved",
};

/** A decision applies only to the submission that the operator reviewed; throws `conflict` if a newer one replaced it. */
export function aboutWhatWasSeen(submittedAt: Date | null, seen: string | null): void {
  if (submittedAt && seen !== null && submittedAt.getTime() === Date.parse(seen)) return;
  throw new Problem("conflict", "A newer submission exists. Review that one first.");
}

/** An approval of a name that can be taken for another's has to say that it is meant; throws `conflict` otherwise. */
export function assertNameIsMeant(imitates: string[], despiteName: boolean): void {
  if (imitates.length === 0 || despiteName) return;
  throw new Problem(
    "conflict",
    `The name imitates: ${imitates.join(", ")}. Approve it with --despite-name if the business may bear it.`,
  );
}

/** The reason of a decision. Only a returned submission has one. */
export function reasonOf({ decision, reason }: { decision: "approved" | "returned"; reason?: string | undefined }) {
  if (decision === "approved") return null;
  const given = reason?.trim();
  if (given) return given;
  throw invalidFields([{ param: "reason", code: "required", message: "must say why it is returned" }]);
}

/** Submissions per merchant: each makes a name enquiry at the bank, and no caller may enumerate account names. */
export const ENQUIRIES = { max: 10, windowMs: 3_600_000 };

export type Enquiries = { enquiries: number; enquiriesSince: Date | null };

/** The incremented count; throws `rate_limited` when the window's are used up. A window starts with the first submission after the last one ended. */
export function afterEnquiry({ enquiries, enquiriesSince }: Enquiries, now: Date): Enquiries {
  const age = enquiriesSince ? now.getTime() - enquiriesSince.getTime() : ENQUIRIES.windowMs;
  if (age >= ENQUIRIES.windowMs) return { enquiries: 1, enquiriesSince: now };
  if (enquiries < ENQUIRIES.max) return { enquiries: enquiries + 1, enquiriesSince };
  const minutes = Math.ceil((ENQUIRIES.windowMs - age) / 60_000);
  throw new Problem("rate_limited", `It was submitted ${enquiries} times within an hour. Try again in ${minutes} min.`);
}
