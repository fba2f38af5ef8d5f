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
            ? `A new link is on its way to ${me.user.email}. It replaces the previous one.`
            : `Open the link that we sent to ${me.user.email}. Test mode works without it; verification, live keys and invitations wait for it.`}
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
