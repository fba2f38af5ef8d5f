import { MEMBER_ROLES, type MemberRole, Problem } from "@collect/contracts";

/** Whether a role includes another: an owner has all permissions, a developer those of a viewer. */
export function isAtLeast(role: MemberRole, least: MemberRole): boolean {
  return MEMBER_ROLES.indexOf(role) <= MEMBER_ROLES.indexOf(least);
}

/** The roles with more permissions than this one. */
export const rolesAbove = (role: MemberRole): MemberRole[] => MEMBER_ROLES.filter((other) => !isAtLeast(role, other));

export const noOwnerLeft = () =>
  new Problem("conflict", "A team needs at least one owner. Make someone else an owner first.");

/** Whether a team still has an owner after a member's role changes, or the member leaves (null). */
export function keepsAnOwner(
  team: readonly { userId: string; role: MemberRole }[],
  change: { userId: string; role: MemberRole | null },
): boolean {
  return team.some(({ userId, role }) => (userId === change.userId ? change.role : role) === "owner");
}
