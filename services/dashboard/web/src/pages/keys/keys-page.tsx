import type { Mode } from "@collect/contracts";
import { Alert, Button, Card, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "react-router";
import type { ActResponse, ReadResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Command, Copy } from "../../components/copy.tsx";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { RollKey } from "./roll-key.tsx";

type Keys = ReadResponse<"keys">["keys"];
type Made = ActResponse<"keys/make">["made"];

/** The two keys of a mode. Test keys are created when a developer or an owner first opens this page. */
export function KeysPage() {
  const { mode, me, home } = useScope();
  const mayMake = useMay("developer");
  const merchant = useRead("keys");
  const make = useAct("keys/make", { changes: ["keys", "checklist"] });
  const keys = merchant.data?.keys;
  const hasNoKeys = keys?.length === 0;
  const isVerified = Boolean(merchant.data?.verified_at);
  const { mutate, isIdle } = make;
  useEffect(() => {
    if (hasNoKeys && mode === "test" && mayMake && isIdle) mutate({});
  }, [hasNoKeys, mode, mayMake, isIdle, mutate]);

  const made = make.data?.made;
  return (
    <Page title="API keys" lead={LEAD[mode]}>
      {merchant.error && <Failure error={merchant.error} onRetry={() => void merchant.refetch()} />}
      <FormProblem error={make.error} />
      {made && <ShownOnce made={made} mode={mode} />}
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
      {hasNoKeys && !mayMake && (
        <Text>Keys are created when an owner or a developer on your team opens this page.</Text>
      )}
      {keys && keys.length > 0 && (
        <>
          <KeyCard kind="secret" keys={keys} />
          <KeyCard kind="public" keys={keys} />
          <Title order={2} size="h4">
            Try it
          </Title>
          <Command
            text={`curl ${me.urls.api}/balance \\\n  -H 'Authorization: Bearer ${made?.secret ?? `sk_${mode}_…`}'`}
          />
        </>
      )}
    </Page>
  );
}

const LEAD: Record<Mode, string> = {
  test: "Test keys move test money along the same path as real money.",
  live: "Live keys move real money.",
};

function ShownOnce({ made, mode }: { made: NonNullable<Made>; mode: Mode }) {
  return (
    <Alert color="yellow" title={`Your ${mode} secret key, shown only once`} role="status">
      <Stack gap="xs">
        <Text size="sm">
          Copy it to your server's secret store. We keep only a fingerprint and can't show it again.
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

function KeyCard({ kind, keys }: { kind: "secret" | "public"; keys: Keys }) {
  const mayRoll = useMay("developer");
  const now = Date.now();
  const mine = keys.filter((key) => key.kind === kind && (!key.expires_at || Date.parse(key.expires_at) > now));
  return (
    <Card withBorder component="section" aria-label={WORDS[kind].title}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} size="h4">
            {WORDS[kind].title}
          </Title>
          <Text size="sm" c="dimmed">
            {WORDS[kind].text}
          </Text>
        </div>
        {mayRoll && <RollKey kind={kind} />}
      </Group>
      <Stack gap="xs" mt="sm">
        {mine.map((key) => (
          <Group key={key.created_at + key.last_four} gap="lg">
            {key.public_key ? (
              <Copy value={key.public_key} what="public key" />
            ) : (
              <span className="mono">
                {key.prefix}…{key.last_four}
              </span>
            )}
            <Text size="sm" c="dimmed">
              created <When at={key.created_at} /> ·{" "}
              {key.last_used_at ? (
                <>
                  last used <When at={key.last_used_at} />
                </>
              ) : (
                "never used"
              )}
              {key.expires_at && (
                <>
                  {" "}
                  · stops working <When at={key.expires_at} />
                </>
              )}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
