import { Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { queryClient } from "../api/query-client.ts";
import { PasskeyConfirmation, TypedConfirmation } from "../api/reauthentication.tsx";
import { useMay, useScope } from "../api/scope.ts";
import { Page } from "../components/page.tsx";
import { SectionCard } from "../components/section-card.tsx";
import { Passkeys } from "../pages/security/passkeys.tsx";
import { TwoFactor } from "../pages/security/two-factor.tsx";

/** Live mode needs a second factor: asks for it, or leads through setting it up, and then shows the page. */
export function SecondFactorGate({ children }: { children: ReactNode }) {
  const { me, mode } = useScope();
  // As on the server, which refuses every call of live mode.
  const canMoveMoney = useMay("money");
  const isNeeded = mode === "live" && me.rules.live_second_factor && canMoveMoney;
  // What is set up here may have to be noted down, so the page stays until the person goes on.
  const [isOpen, setOpen] = useState(!isNeeded || me.session.second_factor);
  if (isOpen && (!isNeeded || me.session.second_factor)) return children;
  const { two_factor_enabled: hasTwoFactor, has_passkey: hasPasskey } = me.user;
  if (!me.session.second_factor && (hasTwoFactor || hasPasskey))
    return <Give {...{ hasTwoFactor, hasPasskey }} onGiven={() => setOpen(true)} />;
  return <SetUp isDone={me.session.second_factor} onContinue={() => setOpen(true)} />;
}

function SetUp({ isDone, onContinue }: { isDone: boolean; onContinue: () => void }) {
  return (
    <Page
      title="Live mode needs a second factor"
      lead="You can move real money here. With a second factor a stolen password isn't enough. Set up either of these; it takes a minute."
    >
      <Passkeys />
      <TwoFactor />
      {isDone ? (
        <Button w="fit-content" onClick={onContinue}>
          Continue to live mode
        </Button>
      ) : (
        <Leave />
      )}
    </Page>
  );
}

function Give(props: { hasTwoFactor: boolean; hasPasskey: boolean; onGiven: () => void }) {
  const { hasTwoFactor, hasPasskey, onGiven } = props;
  const refresh = () => {
    void queryClient.invalidateQueries();
    onGiven();
  };
  return (
    <Page title="Confirm with your second factor" lead="You signed in without it. Live mode needs it.">
      <SectionCard title="Your second factor">
        <Stack maw={360}>
          {hasPasskey && <PasskeyConfirmation onConfirmed={refresh} />}
          {hasTwoFactor && <TypedConfirmation hasTwoFactor onConfirmed={refresh} />}
        </Stack>
      </SectionCard>
      <Leave />
    </Page>
  );
}

function Leave() {
  const { merchantId } = useScope();
  return (
    <Group>
      <Button component={Link} to={`/m/${merchantId}/test`} variant="default">
        Back to test mode
      </Button>
      <Text size="sm" c="dimmed">
        Test mode works without it.
      </Text>
    </Group>
  );
}
