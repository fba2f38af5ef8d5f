import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { durationWords } from "../../components/duration.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { When } from "../../components/when.tsx";
import { type Hold, waitingWords } from "./hold-words.ts";

const CHANGES = ["webhook", "events", "deliveries"] as const;

/** Why events wait, how many, and for how long; and the acts that end it or begin it. */
export function HoldState({ hold, url }: Pick<ReadResponse<"webhook/health">, "hold" | "url">) {
  const mayChange = useMay("webhooks");
  const pause = useAct("webhook/pause", { changes: [...CHANGES] });
  const resume = useAct("webhook/resume", { changes: [...CHANGES] });
  if (!url) return null;
  return (
    <Stack gap="xs">
      {hold && <HoldAlert hold={hold} />}
      {mayChange && (
        <Group gap="xs">
          {hold && hold.state !== "releasing" && (
            <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate({})}>
              {hold.state === "paused" ? "Resume deliveries" : "Try now"}
            </Button>
          )}
          {hold?.state !== "paused" && (
            <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate({})}>
              Pause deliveries
            </Button>
          )}
        </Group>
      )}
      <FormProblem error={pause.error ?? resume.error} />
    </Stack>
  );
}

function HoldAlert({ hold: { state, since, waiting, next_attempt_at, seconds_left, lost_change_at } }: { hold: Hold }) {
  if (state === "paused" && lost_change_at)
    return (
      <Alert color="orange" title="Check your URL and signing secret: deliveries are paused">
        <Text size="sm">
          We had to restore our records from a backup. What your team changed here, last <When at={lost_change_at} />,
          may be lost: the URL or the signing secret may be an earlier one. {waitingWords(waiting)} Set what is not as
          you left it, and then resume: events are sent in order.
        </Text>
      </Alert>
    );
  if (state === "paused")
    return (
      <Alert color="yellow" title="Deliveries are paused">
        <Text size="sm">
          They were paused <When at={since} />. The audit log shows who paused them. {waitingWords(waiting)} Resume to
          send them in order.
        </Text>
      </Alert>
    );
  if (state === "held")
    return (
      <Alert color="orange" title="Your server is failing: events are held">
        <Text size="sm">
          Held <When at={since} />. {waitingWords(waiting)} We try the oldest again <When at={next_attempt_at} />. Once
          your server accepts an event, all of them follow in order.
        </Text>
      </Alert>
    );
  return (
    <Alert color="accent" title="Your server accepts events again">
      <Text size="sm">
        {waitingWords(waiting)} They are being sent in order
        {seconds_left === null ? "." : `: about ${durationWords(seconds_left)} left.`}
      </Text>
    </Alert>
  );
}
