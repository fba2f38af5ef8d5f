import { MEMBER_ROLES, type MemberRole, Problem } from "@collect/contracts";

/** What a member can be allowed to do. */
export const PERMISSIONS = [
  /** Look at everything but secrets. */
  "read",
  /** Take lists of money and of people with them, as CSV. */
  "exports",
  /** Make customer accounts, sessions and payment links, and simulate payments. */
  "collect",
  /** Order payouts, look up whose account it is, and say whose unmatched money is. */
  "money",
  /** Approve the payouts that others order. */
  "approvals",
  /** Make and roll API keys, but for those below. */
  "keys",
  /** Make and roll keys that can send money: the live secret key, and live keys with `transfers:write`. */
  "secret_keys",
  /** Set webhook URLs, see and rotate their signing secrets. */
  "webhooks",
  /** Take the request log and the delivery log with them, as CSV. */
  "logs",
  /** Take care of what the Inbox lists, and say what is done. */
  "inbox",
  /** Send events again. */
  "resend",
  /** Change the team. */
  "team",
  /** Have the business verified. */
  "business",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** No role includes another: finance has the money and no keys, a developer the keys and no money. */
const ALLOWED: Record<MemberRole, readonly Permission[]> = {
  owner: PERMISSIONS,
  finance: ["read", "exports", "collect", "money", "approvals", "inbox"],
  developer: ["read", "collect", "keys", "webhooks", "logs", "inbox", "resend"],
  support: ["read", "inbox", "resend"],
  viewer: ["read"],
};

export const permissionsOf = (role: MemberRole): Permission[] => [...ALLOWED[role]];

export const isAllowed = (role: MemberRole, permission: Permission): boolean => ALLOWED[role].includes(permission);

export function assertAllowed(role: MemberRole, permission: Permission): void {
  if (isAllowed(role, permission)) return;
  const holders = rolesWith(permission).map((other) => NAMES[other]);
  throw new Problem("role_required", `Only ${listed(holders)} can do that.`);
}

const NAMES: Record<MemberRole, string> = {
  owner: "an owner",
  finance: "a finance member",
  developer: "a developer",
  support: "a support member",
  viewer: "a viewer",
};

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

export const rolesWith = (permission: Permission): MemberRole[] =>
  MEMBER_ROLES.filter((role) => isAllowed(role, permission));

/** The roles that may do something that this one may not. */
export const rolesBeyond = (role: MemberRole): MemberRole[] =>
  MEMBER_ROLES.filter((other) => ALLOWED[other].some((permission) => !isAllowed(role, permission)));

export const noOwnerLeft = () =>
  new Problem("conflict", "A team needs at least one owner. Make someone else an owner first.");

/** Whether a team still has an owner after a member's role changes, or the member leaves (null). */
export function keepsAnOwner(
  team: readonly { userId: string; role: MemberRole }[],
  change: { userId: string; role: MemberRole | null },
): boolean {
  return team.some(({ userId, role }) => (userId === change.userId ? change.role : role) === "owner");
}
