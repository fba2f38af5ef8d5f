import type { Mode } from "@collect/contracts";
import { Alert, Button, Card, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import type { ActResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Command, Copy } from "../../components/copy.tsx";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { Page } from "../../components/page.tsx";
import type { Key } from "./exposure-words.ts";
import { Exposures } from "./exposures.tsx";
import { KeyLine } from "./key-line.tsx";
import { RestrictedKeys } from "./restricted-keys.tsx";
import { RollKey } from "./roll-key.tsx";

type Made = ActResponse<"keys/make">["made"];

/** The two keys of a mode, and its restricted ones. Test keys are created when somebody who may first opens this page. */
export function KeysPage() {
  const { mode, me, home } = useScope();
  const [mayMakeTest, mayMakeLive] = [useMay("keys"), useMay("secret_keys")];
  const mayMake = mode === "live" ? mayMakeLive : mayMakeTest;
  const merchant = useRead("keys");
  const make = useAct("keys/make", { changes: ["keys", "checklist"] });
  const keys = merchant.data?.keys.filter(isInUse);
  const hasNoKeys = merchant.data?.keys.every(({ kind }) => kind === "restricted");
  const isVerified = Boolean(merchant.data?.verified_at);
  const { mutate, isIdle } = make;
  useEffect(() => {
    if (hasNoKeys && mode === "test" && mayMake && isIdle) mutate({});
  }, [hasNoKeys, mode, mayMake, isIdle, mutate]);

  const made = make.data?.made;
  const reveal = useAct("keys/reveal", { changes: ["keys"] });
  const shown = made?.secret ?? reveal.data?.key;
  return (
    <Page title="API keys" lead={LEAD[mode]}>
      {merchant.error && <Failure error={merchant.error} onRetry={() => void merchant.refetch()} />}
      <FormProblem error={make.error} />
      {made && <NewKey made={made} mode={mode} />}
      {merchant.isPending && <Skeleton height={160} />}
      {hasNoKeys && mode === "live" && !isVerified && (
        <Alert color="blue" title="Live keys require verification">
          <Text size="sm">
            You can create live keys here once your business is verified. Until then, everything works in test mode.
          </Text>
          <Button component={Link} to={`${home}/settings/verification`} mt="sm" size="sm">
            Verify business
          </Button>
        </Alert>
      )}
      {hasNoKeys && mode === "live" && isVerified && mayMake && (
        <Button onClick={() => make.mutate({})} loading={make.isPending} w="fit-content">
          Create live keys
        </Button>
      )}
      {hasNoKeys && !mayMake && (mode === "test" || isVerified) && (
        <Text>
          {mode === "live"
            ? "An owner of your team creates the live keys on this page."
            : "Keys are created when an owner or a developer on your team opens this page."}
        </Text>
      )}
      {keys && !hasNoKeys && (
        <>
          <KeyCard
            kind="secret"
            keys={keys}
            action={
              mode === "test" &&
              mayMakeTest && (
                <Button variant="default" loading={reveal.isPending} onClick={() => reveal.mutate({})}>
                  Show test secret key
                </Button>
              )
            }
          >
            <FormProblem error={reveal.error} />
            {reveal.data && <Copy value={reveal.data.key} what="test secret key" />}
          </KeyCard>
          <KeyCard kind="public" keys={keys} />
          <RestrictedKeys keys={keys} />
          <Title order={2} size="h4">
            Try it
          </Title>
          <Command text={`curl ${me.urls.api}/balance \\\n  -H 'Authorization: Bearer ${shown ?? `sk_${mode}_…`}'`} />
        </>
      )}
    </Page>
  );
}

/** A key that has stopped working is of no use to anybody. */
const isInUse = ({ expires_at }: Key) => !expires_at || Date.parse(expires_at) > Date.now();

const LEAD: Record<Mode, string> = {
  test: "Test keys move test money along the same path as real money.",
  live: "Live keys move real money.",
};

function NewKey({ made, mode }: { made: NonNullable<Made>; mode: Mode }) {
  return (
    <Alert color="yellow" title={`Your ${mode} secret key${mode === "live" ? ", shown only once" : ""}`} role="status">
      <Stack gap="xs">
        <Text size="sm">
          Copy it to your server's secret store.{" "}
          {mode === "live"
            ? "We keep only a fingerprint and can't show it again."
            : "Owners and developers can see a test key again here. A live one is shown only once."}
        </Text>
        <Copy value={made.secret} what="secret key" />
      </Stack>
    </Alert>
  );
}

const WORDS = {
  secret: {
    title: "Secret key",
    text: "For your server only. Anyone who has it can read your data and, in live mode, send money.",
  },
  public: {
    title: "Public key",
    text: "Safe to use in a web page. It can create checkout sessions but can't read data.",
  },
} as const;

type KeyCardProps = { kind: "secret" | "public"; keys: Key[]; action?: ReactNode; children?: ReactNode };

function KeyCard({ kind, keys, action, children }: KeyCardProps) {
  const { mode } = useScope();
  const isForOwners = kind === "secret" && mode === "live";
  const mayRoll = useMay(isForOwners ? "secret_keys" : "keys");
  return (
    <Card withBorder component="section" aria-label={WORDS[kind].title}>
      <Group justify="space-between" align="flex-start">
        <div style={{ flex: "1 1 240px" }}>
          <Title order={2} size="h4">
            {WORDS[kind].title}
          </Title>
          <Text size="sm" c="dimmed">
            {WORDS[kind].text} {isForOwners && "Only an owner can roll it."}
          </Text>
        </div>
        <Group gap="xs">
          {action}
          {mayRoll && <RollKey kind={kind} />}
        </Group>
      </Group>
      <Stack gap="xs" mt="sm">
        {keys
          .filter((key) => key.kind === kind)
          .map((key) => (
            <div key={key.id}>
              <KeyLine of={key} />
              <Exposures of={key} />
            </div>
          ))}
        {children}
      </Stack>
    </Card>
  );
}
