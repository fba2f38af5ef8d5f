import type { MemberRole } from "@collect/contracts";

/** The roles, and what each may do. */
export const ROLES: { value: MemberRole; label: string; may: string }[] = [
  {
    value: "owner",
    label: "Owner",
    may: "Everything: money, every key, business verification and the team.",
  },
  {
    value: "finance",
    label: "Finance",
    may: "Sends money, exports lists, and creates accounts, links and sessions. No keys or webhooks.",
  },
  {
    value: "developer",
    label: "Developer",
    may: "Manages webhooks, and keys that can't send real money; exports logs; creates accounts, links and sessions.",
  },
  {
    value: "support",
    label: "Support",
    may: "Views everything except secrets, handles the Inbox, and resends events to your server.",
  },
  { value: "viewer", label: "Viewer", may: "Views everything except secrets. Can't change or export anything." },
];

export const roleLabel = (role: MemberRole) => ROLES.find(({ value }) => value === role)?.label ?? role;
