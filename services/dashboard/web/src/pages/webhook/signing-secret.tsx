import { Alert, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { When } from "../../components/when.tsx";
import type { Webhook } from "./webhook.ts";

type Secrets = { secret: string; staged_secret: string | null };
const CHANGES = { changes: ["webhook"] };

/** Masked until asked for; replaced in two steps, so that no event is refused in between. */
export function SigningSecret({ webhook }: { webhook: Webhook }) {
  const mayChange = useMay("developer");
  const reveal = useAct<Secrets>("webhook/reveal");
  const stage = useAct<unknown>("webhook/rotation/stage", CHANGES);
  const activate = useAct<unknown>("webhook/rotation/activate", CHANGES);
  const cancel = useAct<unknown>("webhook/rotation/cancel", CHANGES);
  if (!webhook.has_secret) return null;
  const problem = reveal.error ?? stage.error ?? activate.error ?? cancel.error;
  const then = (act: typeof stage) => () => act.mutate({}, { onSuccess: () => reveal.reset() });
  return (
    <Card withBorder component="section" aria-label="Signing secret">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Signing secret
        </Title>
        <FormProblem error={problem} />
        {reveal.data ? (
          <Copy value={reveal.data.secret} what="signing secret" />
        ) : (
          <span className="mono">whsec_…{webhook.secret_ends}</span>
        )}
        {webhook.staged && (
          <Alert color="blue" title="A new secret is staged">
            <Stack gap="xs">
              <Text size="sm">
                Teach your server the new one now. It already signs <code>webhook-signature</code> beside the present
                one, and takes over <When at={webhook.activates_at} />, or as soon as you activate it.
              </Text>
              {reveal.data?.staged_secret && <Copy value={reveal.data.staged_secret} what="new signing secret" />}
            </Stack>
          </Alert>
        )}
        {mayChange && (
          <Group>
            {!reveal.data && (
              <Button variant="default" loading={reveal.isPending} onClick={() => reveal.mutate({})}>
                {webhook.staged ? "Show both secrets" : "Show secret"}
              </Button>
            )}
            {reveal.data && (
              <Button variant="default" onClick={() => reveal.reset()}>
                Hide
              </Button>
            )}
            {!webhook.staged && (
              <Button variant="default" loading={stage.isPending} onClick={then(stage)}>
                Stage a new secret
              </Button>
            )}
            {webhook.staged && (
              <>
                <Button loading={activate.isPending} onClick={then(activate)}>
                  Activate the new secret
                </Button>
                <Button variant="default" loading={cancel.isPending} onClick={then(cancel)}>
                  Throw it away
                </Button>
              </>
            )}
          </Group>
        )}
      </Stack>
    </Card>
  );
}
