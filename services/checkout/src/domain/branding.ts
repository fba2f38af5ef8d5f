import type { Branding, SessionSnapshot } from "@collect/contracts";

/** A session, and how its merchant shows itself to payers. */
export type BrandedSession = SessionSnapshot & { branding: Branding };
