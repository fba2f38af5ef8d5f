import { Alert, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { When } from "../../components/when.tsx";

const CHANGES = { changes: ["webhook"] } as const;

/** Masked until revealed; replaced in two steps, so that the merchant's server rejects no event in between. */
export function SigningSecret({ webhook }: { webhook: ReadResponse<"webhook"> }) {
  const mayChange = useMay("developer");
  const reveal = useAct("webhook/reveal");
  const stage = useAct("webhook/rotation/stage", CHANGES);
  const activate = useAct("webhook/rotation/activate", CHANGES);
  const cancel = useAct("webhook/rotation/cancel", CHANGES);
  if (!webhook.has_secret) return null;
  const problem = reveal.error ?? stage.error ?? activate.error ?? cancel.error;
  const hide = { onSuccess: () => reveal.reset() };
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
                Add the new secret to your server now. It already signs <code>webhook-signature</code> together with the
                current one, and replaces it <When at={webhook.activates_at} />, or as soon as you activate it.
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
              <Button variant="default" loading={stage.isPending} onClick={() => stage.mutate({}, hide)}>
                Stage new secret
              </Button>
            )}
            {webhook.staged && (
              <>
                <Button loading={activate.isPending} onClick={() => activate.mutate({}, hide)}>
                  Activate new secret
                </Button>
                <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({}, hide)}>
                  Discard
                </Button>
              </>
            )}
          </Group>
        )}
      </Stack>
    </Card>
  );
}
