import { Accordion, Alert, Button, Group, Stack, Text, Title } from "@mantine/core";
import { Link, useParams } from "react-router";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Command } from "../../components/copy.tsx";
import { EventObject } from "../../components/event-links.tsx";
import { Facts } from "../../components/facts.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { Payload } from "../../components/payload.tsx";
import { RecordHead } from "../../components/record-head.tsx";
import { RecordLink } from "../../components/record-link.tsx";
import { RecordPanel } from "../../components/record-panel.tsx";
import { RequestsAbout } from "../../components/requests-about.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { isUnderWay, stateOf } from "./delivery-state.ts";
import { isAcknowledged, likelyCauseOf } from "./likely-cause.ts";

type DeliveryRecord = ReadResponse<"deliveries/:number">;

/** One delivery: the request, and the response to each attempt. */
export function DeliveryPanel() {
  const { number = "" } = useParams();
  return (
    <RecordPanel
      title={`Delivery ${number}`}
      list="developers/deliveries"
      path="deliveries/:number"
      fields={{ number }}
      isMoving={({ delivery }) => isUnderWay(delivery)}
    >
      {(record) => <Content {...record} />}
    </RecordPanel>
  );
}

function Content({ delivery, request, attempts }: DeliveryRecord) {
  const { home } = useScope();
  const headers = Object.entries(request.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  return (
    <Stack>
      <RecordHead
        title={delivery.event}
        status={<Status status={stateOf(delivery)} />}
        who={
          <RecordLink to={["developers", "events", String(delivery.sequence)]}>Event {delivery.sequence}</RecordLink>
        }
        at={<When at={delivery.created_at} />}
        actions={<Replay sequence={delivery.sequence} />}
      />
      <Facts
        facts={[
          ["Object", <EventObject key="about" event={delivery} />],
          ["API requests", <RequestsAbout key="requests" reference={delivery.reference} />],
          ["To", delivery.url],
          ["Next attempt", delivery.status === "pending" ? <When key="next" at={delivery.next_attempt_at} /> : null],
        ]}
      />
      <Title order={3} size="h5">
        Attempts
      </Title>
      {attempts.length === 0 && <Text size="sm">None yet.</Text>}
      <Accordion variant="separated" defaultValue={String(attempts[0]?.attempt ?? "")}>
        {attempts.map((attempt) => (
          <Attempt key={attempt.attempt} {...attempt} />
        ))}
      </Accordion>
      <Title order={3} size="h5">
        Request body
      </Title>
      <Command text={`POST ${delivery.url}\n${headers}`} what="headers" />
      <Payload text={request.body} what="body" />
      <Text size="sm">
        <Link to={`${home}/developers/verifier`} state={{ body: request.body }}>
          Check a signature your server received
        </Link>
      </Text>
    </Stack>
  );
}

function Attempt({ attempt, started_at, duration_ms, status, error, response }: DeliveryRecord["attempts"][number]) {
  const isAccepted = isAcknowledged({ status, error });
  const likely = likelyCauseOf({ status, error });
  return (
    <Accordion.Item value={String(attempt)}>
      <Accordion.Control>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            Attempt {attempt}
          </Text>
          <Text size="sm" c={isAccepted ? undefined : "var(--mantine-color-error)"}>
            {status ? `${status} after ${duration_ms} ms` : `No response after ${duration_ms} ms`}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            <When at={started_at} exact />
          </Text>
          {likely && <Text size="sm">{`${likely.cause} ${likely.cure}`}</Text>}
          {error && <Text size="sm">{error}</Text>}
          {response ? <Command text={response} what="response" /> : <Text size="sm">The response had no body.</Text>}
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** Resends the event to the current URL, even if it was delivered. */
export function Replay({ sequence }: { sequence: number }) {
  const mayReplay = useMay("resend");
  const replay = useAct("events/:sequence/replay", {
    changes: ["deliveries", "events", "webhook"],
  });
  if (!mayReplay) return null;
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        loading={replay.isPending}
        onClick={() => replay.mutate({ sequence })}
      >
        Resend
      </Button>
      <FormProblem error={replay.error} />
      {replay.data && (
        <Alert color="accent" role="status">
          Resending as delivery {replay.data.number}.
        </Alert>
      )}
    </Stack>
  );
}
