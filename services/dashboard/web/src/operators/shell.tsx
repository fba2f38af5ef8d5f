import { ActionIcon, Button, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconBuildingBank,
  IconBuildingStore,
  IconCalendarCheck,
  IconCash,
  IconClipboardCheck,
  IconFileText,
  IconHistory,
  IconMailX,
  IconMenu2,
  IconScale,
  IconSend,
  IconUsers,
  IconX,
} from "@tabler/icons-react";
import { Suspense, useEffect } from "react";
import { NavLink, Outlet, useLocation } from "react-router";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Loading } from "../components/loading.tsx";
import { useTopOfPage } from "../components/top-of-page.ts";
import { signOut } from "./api.ts";

const PAGES = [
  { label: "Merchants", path: "/merchants", icon: IconBuildingStore },
  { label: "Verification", path: "/verifications", icon: IconClipboardCheck },
  { label: "Incoming transfers", path: "/transfers", icon: IconCash },
  { label: "Payouts", path: "/payouts", icon: IconSend },
  { label: "Partner bank", path: "/partner", icon: IconBuildingBank },
  { label: "Days", path: "/days", icon: IconCalendarCheck },
  { label: "Statements", path: "/statements", icon: IconFileText },
  { label: "Dead letters", path: "/dead-letters", icon: IconMailX },
  { label: "Self-audit", path: "/self-audit", icon: IconScale },
  { label: "Proposals", path: "/proposals", icon: IconUsers },
  { label: "Audit log", path: "/audit", icon: IconHistory },
] as const;

/** The layout of every page, as in the merchants' dashboard. */
export function Shell({ name }: { name: string }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useEffect(close, [pathname]);
  useTopOfPage();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="shell-head">
        <ActionIcon
          className="shell-menu"
          variant="subtle"
          color="gray"
          size="lg"
          onClick={toggle}
          aria-label="Menu"
          aria-expanded={isOpen}
        >
          {isOpen ? <IconX aria-hidden /> : <IconMenu2 aria-hidden />}
        </ActionIcon>
        <div className="shell-business">
          <strong>Collect operators</strong>
          <span className="shell-mode">{name}</span>
        </div>
        <Button variant="default" size="xs" onClick={() => void signOut().then(() => window.location.assign("/"))}>
          Sign out
        </Button>
      </header>
      <div className="shell-body">
        <div className="shell-side" data-open={isOpen || undefined}>
          <Stack gap={2} component="nav" aria-label="Main">
            {PAGES.map(({ label, path, icon: Icon }) => (
              <NavLink key={path} className="shell-link" to={path}>
                <Icon size={18} stroke={1.6} aria-hidden />
                {label}
              </NavLink>
            ))}
          </Stack>
        </div>
        <main className="shell-main" id="main" tabIndex={-1}>
          <ErrorBoundary location={pathname}>
            <Suspense fallback={<Loading />}>
              <Outlet />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
    </>
  );
}
