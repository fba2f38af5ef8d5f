import type { MemberRole } from "@collect/contracts";

/** What each role may do, in a line; each may do what the ones below it may. */
export const ROLES: { value: MemberRole; label: string; may: string }[] = [
  {
    value: "owner",
    label: "Owner",
    may: "Everything: sends money, verifies the business, decides who is in the team.",
  },
  {
    value: "developer",
    label: "Developer",
    may: "Keys, webhooks, test money, accounts, links and sessions. Sends no money.",
  },
  { value: "viewer", label: "Viewer", may: "Sees everything but secrets. Changes nothing." },
];

export const roleLabel = (role: MemberRole) => ROLES.find(({ value }) => value === role)?.label ?? role;
