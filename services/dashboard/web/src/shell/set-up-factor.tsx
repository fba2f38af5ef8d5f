import { Alert, Button, Group, Text } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { useMay, useScope } from "../api/scope.ts";

/** In test mode, for who will need it: what waits for a second factor. In live mode nothing is seen without one. */
export function SetUpFactor() {
  const { me, mode, home } = useScope();
  const canMoveMoney = useMay("money");
  const { pathname } = useLocation();
  const isConfirmed = !me.rules.sends_mail || me.user.is_confirmed;
  const hasFactor = me.user.two_factor_enabled || me.user.has_passkey;
  const there = `${home}/settings/security`;
  if (mode === "live" || !me.rules.live_second_factor || !canMoveMoney || !isConfirmed || hasFactor) return null;
  if (pathname === there) return null;
  return (
    <Alert color="yellow" role="status" mb="md" title="Set up a second factor">
      <Group justify="space-between" gap="sm">
        <Text size="sm" maw={640}>
          You need it for live mode, business verification, your team and transfer limits; test mode works without it.
          Use a passkey or an authenticator app. It takes a minute.
        </Text>
        <Button component={Link} to={there} variant="default" size="xs">
          Set it up
        </Button>
      </Group>
    </Alert>
  );
}
