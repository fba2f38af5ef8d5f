import { MEMBER_ROLES, type MemberRole } from "@collect/contracts";

/** Whether a role is at least another: an owner may do everything, a developer what a viewer may. */
export function isAtLeast(role: MemberRole, least: MemberRole): boolean {
  return MEMBER_ROLES.indexOf(role) <= MEMBER_ROLES.indexOf(least);
}

/** The roles that may do more than this one. */
export const rolesAbove = (role: MemberRole): MemberRole[] => MEMBER_ROLES.filter((other) => !isAtLeast(role, other));

/** What becomes of a team when one member gets another role, or leaves (null). It keeps an owner, whatever happens. */
export function keepsAnOwner(
  team: readonly { userId: string; role: MemberRole }[],
  change: { userId: string; role: MemberRole | null },
): boolean {
  return team.some(({ userId, role }) => (userId === change.userId ? change.role : role) === "owner");
}
