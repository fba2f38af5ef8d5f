import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { When } from "../../components/when.tsx";

/** Sends a test event and shows whether the merchant's server accepted it. */
export function FirstWebhook({ isUrlSet }: { isUrlSet: boolean }) {
  const { home } = useScope();
  const maySend = useMay("webhooks");
  const health = useRead("webhook/health", {}, { enabled: isUrlSet });
  const send = useAct("webhook/test", {
    changes: ["webhook", "events", "deliveries", "checklist"],
  });
  if (!isUrlSet) return <Text size="sm">Set a webhook URL first.</Text>;
  return (
    <Stack gap="sm">
      {maySend && (
        <Button loading={send.isPending} onClick={() => send.mutate({})} w="fit-content">
          Send a test event
        </Button>
      )}
      <FormProblem error={send.error} />
      {health.data?.last_delivered_at ? (
        <Text size="sm" role="status">
          Your server received an event <When at={health.data.last_delivered_at} />.
        </Text>
      ) : (
        health.data &&
        health.data.failing > 0 && (
          <Alert color="orange" role="status" title="Your server has not received an event yet">
            See how it responded. Each event is tried again for about 72 hours. While your server keeps failing, later
            events are held, then sent in order. No event is lost.
          </Alert>
        )
      )}
      {(send.data || health.data?.last_delivered_at || (health.data?.failing ?? 0) > 0) && (
        <Group>
          <Link to={`${home}/developers/deliveries${send.data ? `/${send.data.delivery_number}` : ""}`}>
            {send.data ? "View the request and the response" : "View deliveries"}
          </Link>
        </Group>
      )}
    </Stack>
  );
}
