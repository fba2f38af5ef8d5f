import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { Command } from "../../components/copy.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { When } from "../../components/when.tsx";

type Unconfirmed = NonNullable<ReadResponse<"webhook">["unconfirmed"]>;

/** A URL that has not answered its challenge: why, how to answer, and another try. */
export function UnconfirmedUrl({ unconfirmed, url }: { unconfirmed: Unconfirmed; url: string | null }) {
  const mayChange = useMay("webhooks");
  const challenge = useAct("webhook/challenge", { changes: ["webhook", "checklist"] });
  return (
    <Alert color="orange" title="This URL hasn't answered its challenge yet">
      <Stack gap="sm">
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          We sent a challenge to {unconfirmed.url} <When at={unconfirmed.challenged_at} />
          {unconfirmed.error && `: ${unconfirmed.error}`}. Until your server answers,{" "}
          {url ? "events go to the previous URL." : "events are recorded and can be sent later."}
        </Text>
        <Text size="sm">Verify the signature as for any event, then respond with the challenge:</Text>
        <Command text={ANSWER} what="answer" />
        {mayChange && (
          <Group>
            <Button variant="default" loading={challenge.isPending} onClick={() => challenge.mutate({})}>
              Send challenge again
            </Button>
          </Group>
        )}
        <FormProblem error={challenge.error} />
      </Stack>
    </Alert>
  );
}

const ANSWER = `const { event, data } = JSON.parse(rawBody);
if (event === "endpoint.challenge")
  return response.writeHead(200).end(data.challenge);`;
