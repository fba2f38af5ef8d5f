import { AppShell, Badge, Burger, Center, Container, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense, useEffect } from "react";
import { Link, Outlet, useLocation, useParams } from "react-router";
import { useLiveUpdates } from "../api/live.ts";
import { useMe } from "../api/me.ts";
import { type Scope, ScopeContext } from "../api/scope.ts";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Loading } from "../components/loading.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { ConfirmAddress } from "./confirm-address.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import { Navigation } from "./navigation.tsx";
import { SecondFactorGate } from "./second-factor-gate.tsx";
import { SetUpFactor } from "./set-up-factor.tsx";
import { TestClock } from "./test-clock.tsx";
import { UserMenu } from "./user-menu.tsx";

/** The layout of every page of one merchant in one mode. */
export function Shell() {
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
  useEffect(close, [pathname]);
  // A narrow screen shows the mode's label in the bar, a wide one in the header.
  const bar = scope.mode === "test" ? { base: 20, xs: 6 } : { base: 0, xs: 0 };
  return (
    <AppShell
      header={{ height: { base: 56 + bar.base, xs: 56 + bar.xs } }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <AppShell.Header>
        {scope.mode === "test" && (
          <div className="test-bar">
            <span className="test-word">Test mode</span>
          </div>
        )}
        <Group h={56} px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Menu"
              aria-expanded={isOpen}
            />
            <Text fw={600} truncate>
              {scope.merchantName}
            </Text>
            {scope.mode === "test" && (
              <Badge color="yellow" visibleFrom="xs" style={{ flexShrink: 0 }}>
                Test mode
              </Badge>
            )}
          </Group>
          <Group gap="sm" wrap="nowrap">
            <CommandPalette />
            <ModeSwitch />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main>
        <Container size="xl" px={0}>
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
        </Container>
      </AppShell.Main>
    </AppShell>
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
