import type { PayoutState } from "./port.ts";

/** The bank is asked again. */
export const PENDING: PayoutState = { status: "pending", failureCode: null, failureReason: null };
/** So it is, and may never say more. */
export const UNCERTAIN: PayoutState = { ...PENDING, isUncertain: true };
