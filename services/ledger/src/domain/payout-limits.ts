import type { Kobo } from "@collect/money";

/** Limits on a merchant's payouts; null is no limit. */
export type PayoutLimits = { transferMax: Kobo | null; dayMax: Kobo | null; approvalAbove: Kobo | null };
export type Refusal = "balance" | "transfer_limit" | "day_limit";

export const NO_LIMITS: PayoutLimits = { transferMax: null, dayMax: null, approvalAbove: null };

/** What applies when two have set limits. */
export function stricter(one: PayoutLimits, other: PayoutLimits): PayoutLimits {
  return {
    transferMax: lower(one.transferMax, other.transferMax),
    dayMax: lower(one.dayMax, other.dayMax),
    approvalAbove: lower(one.approvalAbove, other.approvalAbove),
  };
}

/** Whether the limits forbid an order, given what was ordered earlier on the same day. */
export function refusalOf(
  amount: Kobo,
  { limits, orderedToday }: { limits: PayoutLimits; orderedToday: Kobo },
): Exclude<Refusal, "balance"> | undefined {
  if (exceeds(amount, limits.transferMax)) return "transfer_limit";
  if (exceeds(orderedToday + amount, limits.dayMax)) return "day_limit";
  return undefined;
}

export const needsApproval = (amount: Kobo, { approvalAbove }: PayoutLimits): boolean => exceeds(amount, approvalAbove);

/** Whether the second allow anything that the first do not: such a change could be an attacker's first step. */
export function allowMore(before: PayoutLimits, after: PayoutLimits): boolean {
  return LIMITS.some(
    (limit) => before[limit] !== null && (after[limit] === null || exceeds(after[limit], before[limit])),
  );
}

const LIMITS = ["transferMax", "dayMax", "approvalAbove"] as const;

const exceeds = (amount: Kobo, limit: Kobo | null): boolean => limit !== null && amount > limit;

function lower(one: Kobo | null, other: Kobo | null): Kobo | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
