import { Alert, Button, Card, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { fieldErrors } from "../../api/problem.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Command } from "../../components/copy.tsx";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { UseReceiver } from "../receiver/use-receiver.tsx";
import { HoldState } from "./hold.tsx";
import { SigningSecret } from "./signing-secret.tsx";
import { TestEvent } from "./test-event.tsx";
import { UnconfirmedUrl } from "./unconfirmed-url.tsx";

/** The URL and the signing secret for the events of this mode. */
export function WebhookPage() {
  const { me, mode } = useScope();
  const mayTest = useMay("webhooks");
  const webhook = useRead("webhook");
  const health = useRead("webhook/health", undefined, {
    isMoving: ({ failing, hold }) => failing > 0 || hold !== null,
  });
  return (
    <Page
      title="Webhook"
      lead={`We send a signed event to this URL for every collection and transfer in ${mode} mode.`}
    >
      {webhook.error && <Failure error={webhook.error} onRetry={() => void webhook.refetch()} />}
      {webhook.isPending && <Skeleton height={180} />}
      {webhook.data && (
        <>
          <UrlCard key={given(webhook.data)} webhook={webhook.data} />
          {webhook.data.unconfirmed && <UnconfirmedUrl unconfirmed={webhook.data.unconfirmed} url={webhook.data.url} />}
          {health.data && webhook.data.url && <HoldState {...health.data} />}
          {health.data && webhook.data.url && !health.data.hold && <Health {...health.data} />}
          {webhook.data.url && mayTest && <TestEvent />}
          {!webhook.data.url && (
            <Text size="sm">
              No server on the internet yet?{" "}
              <a href={new URL("/docs/guides/webhooks", me.urls.api).href} target="_blank" rel="noreferrer">
                The command line forwards events to your machine
              </a>
              , without a URL.
            </Text>
          )}
          {!webhook.data.url && mode === "test" && me.rules.test_receiver && <UseReceiver />}
          <SigningSecret webhook={webhook.data} />
          <VerifyIt />
        </>
      )}
    </Page>
  );
}

/** The URL as it was last set, confirmed or not. */
const given = ({ unconfirmed, url }: ReadResponse<"webhook">): string => unconfirmed?.url ?? url ?? "";

function UrlCard({ webhook }: { webhook: ReadResponse<"webhook"> }) {
  const mayChange = useMay("webhooks");
  const [url, setUrl] = useState(given(webhook));
  const save = useAct("webhook", { changes: ["webhook", "checklist"] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ url: url.trim() || null });
  };
  return (
    <Card withBorder component="section" aria-label="Webhook URL">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Webhook URL"
            description="An https URL that responds with 2xx within 15 seconds. If empty, events are stored and can be sent later."
            placeholder="https://example.com/webhooks"
            type="url"
            value={url}
            disabled={!mayChange}
            error={fieldErrors(save.error).url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <FormProblem error={save.error} fields={["url"]} />
          {mayChange && (
            <Button type="submit" w="fit-content" loading={save.isPending} disabled={url.trim() === given(webhook)}>
              Save URL
            </Button>
          )}
        </Stack>
      </form>
    </Card>
  );
}

function Health({ failing, exhausted, oldest_failing_at, last_delivered_at }: ReadResponse<"webhook/health">) {
  const { home } = useScope();
  if (failing + exhausted > 0)
    return (
      <Alert color="orange" title="Your server isn't accepting every event">
        <Text size="sm">
          {failing > 0 && (
            <>
              {counted(failing)} being retried, the oldest since <When at={oldest_failing_at} exact />.{" "}
            </>
          )}
          {exhausted > 0 && <>{counted(exhausted)} no longer tried, after 16 attempts. You can resend them. </>}
          No events are lost. <Link to={`${home}/developers/deliveries?status=failing`}>View details</Link>
        </Text>
      </Alert>
    );
  return (
    <Text size="sm" c="dimmed">
      {last_delivered_at ? (
        <>
          All events delivered. Last delivery: <When at={last_delivered_at} />.
        </>
      ) : (
        "Nothing has been delivered yet."
      )}
    </Text>
  );
}

const counted = (count: number) =>
  count >= 1_000 ? "1,000 events or more are" : count === 1 ? "1 event is" : `${count} events are`;

const EXAMPLE = `import { createHmac, timingSafeEqual } from "node:crypto";

// The raw bytes of the body, before parsing.
function isOurs(rawBody, signature, secret) {
  const expected = createHmac("sha512", secret).update(rawBody).digest("hex");
  return signature.length === expected.length
    && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
}`;

function VerifyIt() {
  const { home } = useScope();
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        Verify signatures
      </Title>
      <Text size="sm">
        <code>X-Service-Signature</code> is the HMAC-SHA512 of the raw body, in hex. If it does not match, the{" "}
        <Link to={`${home}/developers/verifier`}>verifier</Link> says why.
      </Text>
      <Command text={EXAMPLE} what="example" />
    </Stack>
  );
}
