import { Divider, Stack } from "@mantine/core";
import {
  IconArrowUpRight,
  IconBuildingBank,
  IconCash,
  IconCode,
  IconCreditCard,
  IconFileText,
  IconHome,
  IconInbox,
  IconLink,
  IconRocket,
  IconSettings,
  IconUser,
  IconUsers,
} from "@tabler/icons-react";
import { NavLink } from "react-router";
import { useScope } from "../api/scope.ts";
import { InboxCount } from "../pages/inbox/inbox-count.tsx";

/** Every page of the dashboard, in the order of the sidebar. */
export const PAGES = [
  { label: "Home", path: "", icon: IconHome },
  { label: "Inbox", path: "inbox", icon: IconInbox },
  { label: "Get started", path: "get-started", icon: IconRocket },
  { label: "Collections", path: "collections", icon: IconCash },
  { label: "Customers", path: "customers", icon: IconUsers },
  { label: "Payers", path: "payers", icon: IconUser },
  { label: "Sessions", path: "sessions", icon: IconCreditCard },
  { label: "Links", path: "links", icon: IconLink },
  { label: "Transfers", path: "transfers", icon: IconArrowUpRight },
  { label: "Settlements", path: "settlements", icon: IconBuildingBank },
  { label: "Statements", path: "statements", icon: IconFileText },
  { label: "Developers", path: "developers", icon: IconCode },
  { label: "Settings", path: "settings", icon: IconSettings },
] as const;

export function Navigation() {
  const { home } = useScope();
  return (
    <Stack gap={2} component="nav" aria-label="Main">
      {PAGES.map(({ label, path, icon: Icon }) => (
        <div key={label}>
          {label === "Developers" && <Divider my="xs" />}
          <NavLink className="shell-link" to={path ? `${home}/${path}` : home} end={path === ""}>
            <Icon size={18} stroke={1.6} aria-hidden />
            {label}
            {path === "inbox" && <InboxCount />}
          </NavLink>
        </div>
      ))}
    </Stack>
  );
}
