import { Alert, Button, PasswordInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Link, useLocation } from "react-router";
import type { ActResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { fieldErrors } from "../../api/problem.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { Page } from "../../components/page.tsx";
import { TestReceiver } from "../receiver/test-receiver.tsx";

/** Checks the signature of a webhook that the merchant's server received, and explains a mismatch. */
export function VerifierPage() {
  const { mode } = useScope();
  const mayAsk = useMay("webhooks");
  const { state } = useLocation();
  const [body, setBody] = useState(typeof state?.body === "string" ? state.body : "");
  const [signature, setSignature] = useState("");
  const [secret, setSecret] = useState("");
  const explain = useAct("verify-signature");
  const errors = fieldErrors(explain.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    explain.mutate({ body, signature, ...(secret && { secret }) });
  };
  return (
    <Page
      title="Verifier"
      lead={`Paste a webhook your server received in ${mode} mode to see why its signature doesn't match.`}
    >
      <form onSubmit={submit}>
        <Stack maw={720}>
          <Textarea
            label="Raw body"
            description="The raw bytes, before your framework parsed them."
            autosize
            minRows={6}
            maxRows={16}
            required
            value={body}
            error={errors.body}
            onChange={(event) => setBody(event.currentTarget.value)}
            classNames={{ input: "mono" }}
          />
          <TextInput
            label="X-Service-Signature"
            required
            value={signature}
            error={errors.signature}
            onChange={(event) => setSignature(event.currentTarget.value)}
            classNames={{ input: "mono" }}
          />
          <PasswordInput
            label="Your server's signing secret (optional)"
            description="Used for this check only and not stored."
            autoComplete="off"
            value={secret}
            error={errors.secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
          />
          <Button type="submit" w="fit-content" loading={explain.isPending} disabled={!mayAsk}>
            Check signature
          </Button>
          {!mayAsk && <Text size="sm">Only developers and owners can use the verifier.</Text>}
          <FormProblem error={explain.error} fields={["body", "signature", "secret"]} />
          {explain.data && <Verdict {...explain.data} />}
        </Stack>
      </form>
      <TestReceiver />
    </Page>
  );
}

function Verdict({ verdict, explanation, sequence }: ActResponse<"verify-signature">) {
  const { home } = useScope();
  const fits = verdict === "match" || verdict === "match_staged";
  return (
    <Alert
      color={fits ? "green" : "orange"}
      title={fits ? "The signature matches" : "The signature does not match"}
      role="status"
    >
      <Stack gap="xs">
        <Text size="sm">{explanation}</Text>
        {sequence !== null && (
          <Text size="sm">
            The body is that of <Link to={`${home}/developers/events/${sequence}`}>event {sequence}</Link>.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
