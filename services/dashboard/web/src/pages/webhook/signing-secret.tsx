import { Alert, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { Copy } from "../../components/copy.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { When } from "../../components/when.tsx";
import { shownWords } from "../keys/exposure-words.ts";

type Webhook = ReadResponse<"webhook">;
const CHANGES = { changes: ["webhook"] } as const;

/** Masked until revealed; replaced in two steps, so that the merchant's server rejects no event in between. */
export function SigningSecret({ webhook }: { webhook: Webhook }) {
  const mayChange = useMay("webhooks");
  const reveal = useAct("webhook/reveal", CHANGES);
  const stage = useAct("webhook/rotation/stage", CHANGES);
  const activate = useAct("webhook/rotation/activate", CHANGES);
  const cancel = useAct("webhook/rotation/cancel", CHANGES);
  const problem = reveal.error ?? stage.error ?? activate.error ?? cancel.error;
  const hide = { onSuccess: () => reveal.reset() };
  return (
    <Card withBorder component="section" aria-label="Signing secret">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Signing secret
        </Title>
        <FormProblem error={problem} />
        {webhook.exposed_to.length > 0 && (
          <Alert
            color="orange"
            title="Replace it: someone who should no longer have this secret may know it"
            role="alert"
          >
            {webhook.exposed_to.map((exposure) => (
              <Text size="sm" key={exposure.user_id}>
                {shownWords(exposure)} <span className="wrap-anywhere">({exposure.email})</span>
              </Text>
            ))}
          </Alert>
        )}
        {reveal.data ? <Copy value={reveal.data.secret} what="signing secret" /> : <Masked webhook={webhook} />}
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
                {showWords(webhook)}
              </Button>
            )}
            {reveal.data && (
              <Button variant="default" onClick={() => reveal.reset()}>
                Hide
              </Button>
            )}
            {webhook.has_secret && !webhook.staged && (
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

function Masked({ webhook }: { webhook: Webhook }) {
  if (webhook.has_secret) return <span className="mono">whsec_…{webhook.secret_ends}</span>;
  return (
    <Text size="sm">
      There is none yet. Create it and add it to your server before you set the URL: the first request is a challenge,
      signed with this secret.
    </Text>
  );
}

function showWords({ has_secret, staged }: Webhook): string {
  if (!has_secret) return "Create signing secret";
  return staged ? "Show both secrets" : "Show secret";
}
