import { Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { PasskeyConfirmation, TypedConfirmation } from "../api/confirmation.tsx";
import { queryClient } from "../api/query-client.ts";
import { useScope } from "../api/scope.ts";
import { Page } from "../components/page.tsx";
import { SectionCard } from "../components/section-card.tsx";
import { Passkeys } from "../pages/security/passkeys.tsx";
import { TwoFactor } from "../pages/security/two-factor.tsx";

/** Before live mode, for a person who has a second factor: gives it; for any other: sets one up. */
export default function SecondFactorSteps(props: { isGiving: boolean; onDone: () => void }) {
  const { me } = useScope();
  const { two_factor_enabled: hasTwoFactor, has_passkey: hasPasskey } = me.user;
  return props.isGiving ? (
    <Give {...{ hasTwoFactor, hasPasskey }} onGiven={props.onDone} />
  ) : (
    <SetUp isDone={me.session.second_factor} onContinue={props.onDone} />
  );
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
    <Page
      title="Confirm with your second factor"
      lead="You signed in without it. Live mode needs it, because real money moves there."
    >
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
        Test mode doesn't need it.
      </Text>
    </Group>
  );
}
