import { Badge, Group, Stack, Text } from "@mantine/core";
import type { ReadResponse } from "../../api/calls.ts";
import { Facts } from "../../components/facts.tsx";
import { Payload } from "../../components/payload.tsx";
import { When } from "../../components/when.tsx";
import "./received-webhooks.css";

type Received = ReadResponse<"receiver">["received"][number];

/** What the test receiver got, the newest first, each opened to its headers and its body. */
export function ReceivedWebhooks({ received }: { received: Received[] }) {
  return (
    <Stack gap="xs" component="ul" aria-label="Received webhooks" p={0} m={0} style={{ listStyle: "none" }}>
      {received.map((webhook) => (
        <li key={webhook.id}>
          <ReceivedWebhook {...webhook} />
        </li>
      ))}
    </Stack>
  );
}

function ReceivedWebhook({ received_at, webhook_id, headers, body, fault, answered, seen_before }: Received) {
  return (
    <details className="received">
      <summary>
        <Group component="span" gap="xs" display="inline-flex">
          <strong>{headers["x-service-event"] ?? "No event"}</strong>
          <Badge color={fault === null ? "green" : "red"} style={{ flexShrink: 0 }}>
            {fault === null ? "Signature valid" : "Signature not valid"}
          </Badge>
          {seen_before > 0 && (
            <Badge color="gray" style={{ flexShrink: 0 }}>
              Seen before
            </Badge>
          )}
          <Text span size="sm">
            {answered === null ? "no response" : `responded ${answered}`}, <When at={received_at} />
          </Text>
        </Group>
      </summary>
      <Stack gap="xs" py="xs">
        {fault !== null && <Text size="sm">{fault}</Text>}
        {seen_before > 0 && (
          <Text size="sm">
            {webhook_id} arrived {seen_before === 1 ? "once" : `${seen_before} times`} before: a server acknowledges it
            again, and does nothing twice.
          </Text>
        )}
        <Facts facts={Object.entries(headers)} />
        <Payload text={body} what="body" />
      </Stack>
    </details>
  );
}
