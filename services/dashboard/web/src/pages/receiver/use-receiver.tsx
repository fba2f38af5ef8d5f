import { Button, Stack, Text } from "@mantine/core";
import { useNavigate } from "react-router";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";

/** Makes the test receiver the webhook URL of test mode, and leads to what it receives. */
export function UseReceiver() {
  const mayUse = useMay("webhooks");
  const webhook = useRead("webhook");
  const { home } = useScope();
  const navigate = useNavigate();
  const use = useAct("receiver/use", {
    changes: ["receiver", "webhook", "checklist"],
    onDone: ({ unconfirmed }) => unconfirmed === null && navigate(`${home}/developers/verifier`),
  });
  const url = webhook.data?.unconfirmed?.url ?? webhook.data?.url;
  return (
    <Stack gap="xs">
      {url && (
        <Text size="sm" className="wrap-anywhere">
          Test events go to {url}, which this replaces.
        </Text>
      )}
      {mayUse ? (
        <Button variant="default" w="fit-content" loading={use.isPending} onClick={() => use.mutate({})}>
          Use the test receiver
        </Button>
      ) : (
        <Text size="sm">Only developers and owners can use it.</Text>
      )}
      {use.data?.unconfirmed && (
        <Text size="sm" role="alert">
          The test receiver did not answer its challenge: {use.data.unconfirmed.error}. Your current URL is unchanged.
        </Text>
      )}
      <FormProblem error={use.error} />
    </Stack>
  );
}
