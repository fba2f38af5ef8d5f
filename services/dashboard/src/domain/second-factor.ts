import type { MemberRole } from "@collect/contracts";
import { isAllowed } from "./role.ts";

/**
 * A member who can move money enters live mode with a second factor only: owners and finance members. The same holds for an act
 * that concerns both modes, whichever it is done in.
 */
export const requiresSecondFactor = ({ role, concernsLive }: { role: MemberRole; concernsLive: boolean }): boolean =>
  concernsLive && isAllowed(role, "money");
