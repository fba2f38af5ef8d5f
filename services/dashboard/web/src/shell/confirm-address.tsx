import { Alert, Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { actPerson } from "../api/calls.ts";
import { messageOf } from "../api/problem.ts";
import { useScope } from "../api/scope.ts";

/** Until the address is confirmed: what waits for it, and the link once more. */
export function ConfirmAddress() {
  const { me } = useScope();
  const send = useMutation({ mutationFn: () => actPerson("address/send", {}) });
  if (!me.rules.sends_mail || me.user.is_confirmed) return null;
  return (
    <Alert color="yellow" role="status" mb="md" title="Confirm your email address">
      <Group justify="space-between" gap="sm">
        <Text size="sm" maw={640}>
          {send.isSuccess
            ? `We've sent a new link to ${me.user.email}. It replaces the previous one.`
            : `Open the link we sent to ${me.user.email}. You need it for verification, live keys and invitations; test mode works without it.`}
          {send.error && ` ${messageOf(send.error)}`}
        </Text>
        <Button
          variant="default"
          size="xs"
          loading={send.isPending}
          disabled={send.isSuccess}
          onClick={() => send.mutate()}
        >
          Send again
        </Button>
      </Group>
    </Alert>
  );
}
