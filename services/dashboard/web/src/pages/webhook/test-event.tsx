import { Alert, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { Command } from "../../components/copy.tsx";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { Loading } from "../../components/loading.tsx";
import { RecordLink } from "../../components/record-link.tsx";
import { When } from "../../components/when.tsx";
import { isUnderWay } from "../deliveries/delivery-state.ts";
import { isAcknowledged, likelyCauseOf } from "../deliveries/likely-cause.ts";

/** Sends a test event and shows what came of it: the server's answer, and why it was not accepted. */
export function TestEvent() {
  const send = useAct("webhook/test", { changes: ["events", "deliveries", "webhook"] });
  return (
    <Card withBorder component="section" aria-label="Test event">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Test event
        </Title>
        <Button variant="default" w="fit-content" loading={send.isPending} onClick={() => send.mutate({})}>
          Send test event
        </Button>
        <FormProblem error={send.error} />
        {send.data && <Outcome key={send.data.sequence} {...send.data} />}
      </Stack>
    </Card>
  );
}

function Outcome({ sequence, delivery_number: number }: { sequence: number; delivery_number: number }) {
  const read = useRead("deliveries/:number", { number }, { isMoving: ({ delivery }) => isUnderWay(delivery) });
  if (read.error && !read.data) return <Failure error={read.error} onRetry={() => void read.refetch()} />;
  if (!read.data || read.isPlaceholderData) return <Loading />;
  const [attempt] = read.data.attempts;
  return (
    <Stack gap="xs">
      {attempt ? <Attempted attempt={attempt} delivery={read.data.delivery} /> : <Waiting />}
      <Group gap="md" fz="sm">
        <RecordLink to={["developers", "events", String(sequence)]}>Event {sequence}</RecordLink>
        <RecordLink to={["developers", "deliveries", String(number)]}>Delivery {number}</RecordLink>
        <RecordLink to={["developers", "verifier"]}>Verifier</RecordLink>
      </Group>
    </Stack>
  );
}

const Waiting = () => (
  <Alert color="blue" role="status" title="Sending…">
    <Text size="sm">If deliveries are paused or held, it is sent in its turn.</Text>
  </Alert>
);

type Delivery = ReadResponse<"deliveries/:number">;

function Attempted({ attempt, delivery }: { attempt: Delivery["attempts"][number] } & Pick<Delivery, "delivery">) {
  const { status, duration_ms, response, error } = attempt;
  if (isAcknowledged(attempt))
    return (
      <Alert color="green" role="status" title="Your server acknowledged it">
        <Text size="sm">{`${status} after ${duration_ms} ms, on attempt ${attempt.attempt}.`}</Text>
      </Alert>
    );
  const likely = likelyCauseOf(attempt);
  return (
    <Alert color="orange" role="status" title={likely?.cause}>
      <Stack gap="xs">
        <Text size="sm">{likely?.cure}</Text>
        <Text size="sm">
          {status === null
            ? `No response after ${duration_ms} ms: ${error}.`
            : `Your server responded with ${status} after ${duration_ms} ms.`}{" "}
          {delivery.next_attempt_at && (
            <>
              Next attempt: <When at={delivery.next_attempt_at} />.
            </>
          )}
        </Text>
        {response && <Command text={response} what="answer" />}
      </Stack>
    </Alert>
  );
}
