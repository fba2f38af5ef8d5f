import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ApiProblem, messageOf } from "../api/problem.ts";

/** An error message for a failed read, with a retry button. `isOld`: data from an earlier read is still shown below. */
export function Failure({ error, onRetry, isOld }: { error: unknown; onRetry?: () => void; isOld?: boolean }) {
  const title = isOld ? "This data may be out of date" : "This can't be shown right now";
  const requestId = error instanceof ApiProblem ? error.requestId : undefined;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Text size="sm">{messageOf(error)}</Text>
      {requestId && (
        <Text size="xs" c="dimmed" className="mono" mt={4}>
          request {requestId}
        </Text>
      )}
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        </Group>
      )}
    </Alert>
  );
}
