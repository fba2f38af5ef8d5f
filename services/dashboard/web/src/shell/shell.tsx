import "./shell.css";
import { ActionIcon, Center, Text } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconMenu2, IconX } from "@tabler/icons-react";
import { Suspense, useEffect } from "react";
import { Link, Outlet, useLocation, useParams } from "react-router";
import { useLiveUpdates } from "../api/live.ts";
import { useMe } from "../api/me.ts";
import { type Scope, ScopeContext } from "../api/scope.ts";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Loading } from "../components/loading.tsx";
import { useListStays, useTopOfPage } from "../components/top-of-page.ts";
import { AwayNotice } from "./away-notice.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { ConfirmAddress } from "./confirm-address.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import { Navigation } from "./navigation.tsx";
import { SecondFactorGate } from "./second-factor-gate.tsx";
import { SetUpFactor } from "./set-up-factor.tsx";
import { TestClock } from "./test-clock.tsx";
import { UserMenu } from "./user-menu.tsx";

/** The layout of every page of one merchant in one mode. */
export default function Shell() {
  const scope = useAddressedScope();
  if (!scope) {
    return (
      <Center h="60vh">
        <Text>
          You don't have access to this page. <Link to="/">Go to your business</Link>
        </Text>
      </Center>
    );
  }
  return (
    <ScopeContext value={scope} key={`${scope.merchantId} ${scope.mode}`}>
      <Frame scope={scope} />
    </ScopeContext>
  );
}

function Frame({ scope }: { scope: Scope }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useLiveUpdates();
  useTopOfPage(useListStays());
  useEffect(close, [pathname]);
  useHotkeys([["Escape", close, { preventDefault: false }]]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Head scope={scope} isOpen={isOpen} onMenu={toggle} />
      <div className="shell-body">
        <div className="shell-side" data-open={isOpen || undefined}>
          <Navigation />
        </div>
        <main className="shell-main" id="main" tabIndex={-1}>
          <ErrorBoundary location={pathname}>
            <Suspense fallback={<Loading />}>
              <ConfirmAddress />
              <SetUpFactor />
              <TestClock />
              <SecondFactorGate>
                <Outlet />
              </SecondFactorGate>
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <AwayNotice />
    </>
  );
}

/** As high in both modes, so that nothing moves between them; the mode is in words on every screen. */
function Head({ scope, isOpen, onMenu }: { scope: Scope; isOpen: boolean; onMenu: () => void }) {
  return (
    <header className="shell-head" data-mode={scope.mode}>
      <ActionIcon
        className="shell-menu"
        variant="subtle"
        color="gray"
        size="lg"
        onClick={onMenu}
        aria-label="Menu"
        aria-expanded={isOpen}
      >
        {isOpen ? <IconX aria-hidden /> : <IconMenu2 aria-hidden />}
      </ActionIcon>
      <div className="shell-business">
        <strong>{scope.merchantName}</strong>
        <span className="shell-mode">{scope.mode === "test" ? "Test mode" : "Live mode"}</span>
      </div>
      <CommandPalette />
      <ModeSwitch />
      <UserMenu />
    </header>
  );
}

/** The merchant in the URL, if the signed-in user is a member. */
function useAddressedScope(): Scope | null {
  const { merchant: merchantId, mode } = useParams();
  const { data: me } = useMe();
  const membership = me?.merchants.find(({ merchant_id }) => merchant_id === merchantId);
  if (!me || !membership || (mode !== "test" && mode !== "live")) return null;
  return {
    me,
    merchantId: membership.merchant_id,
    merchantName: membership.name,
    mode,
    permissions: membership.permissions,
    home: `/m/${membership.merchant_id}/${mode}`,
    api: `/api/m/${membership.merchant_id}/${mode}`,
  };
}
