import type { MemberRole } from "@collect/contracts";

/** The roles with their permissions; each includes those of the ones below. */
export const ROLES: { value: MemberRole; label: string; may: string }[] = [
  {
    value: "owner",
    label: "Owner",
    may: "Full access: sends money, verifies the business and manages the team.",
  },
  {
    value: "developer",
    label: "Developer",
    may: "Manages keys, webhooks, test payments, accounts, links and sessions. Can't send money.",
  },
  { value: "viewer", label: "Viewer", may: "Can view everything except secrets. Can't make changes." },
];

export const roleLabel = (role: MemberRole) => ROLES.find(({ value }) => value === role)?.label ?? role;
