import { Button, Group, Stack, Text } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { curlOf } from "../../components/curl.ts";
import { FormProblem } from "../../components/form-problem.tsx";

type Call = ReadResponse<"requests/:id">["call"];

/** A longer path was cut when it was logged. */
const PATH_MAX = 300;

/** Why a request cannot be repeated: a part of it is not kept. */
function missingOf({ method, path, body }: Call, mode: "test" | "live"): string | null {
  if (path.length >= PATH_MAX) return "The path was too long to be kept in full.";
  if (method !== "POST") return null;
  if (mode === "live") return "The body of a live request isn't kept, so there is no command to repeat it.";
  return body && body.text === null
    ? "The body isn't kept: it was longer than 2,000 characters, or one of many in that minute."
    : null;
}

/**
 * The request as a command. The test secret key is filled in for those who may see it, and the public key for all; otherwise the
 * shell's variable supplies it.
 */
export function CopyAsCurl({ call }: { call: Call }) {
  const { me, mode } = useScope();
  const isPublic = call.key.startsWith("pk_");
  const reveals = useMay("keys") && mode === "test" && !isPublic;
  const keys = useRead("keys", {}, { enabled: isPublic });
  const reveal = useAct("keys/reveal");
  const { copy, copied } = useClipboard({ timeout: 1_500 });
  const missing = missingOf(call, mode);
  if (missing) return <Text size="sm">{missing}</Text>;

  const copyWith = (key: string | null) => {
    const { method, path, query, body } = call;
    const url = `${new URL(me.urls.api).origin}${path}${query === null ? "" : `?${query}`}`;
    copy(curlOf({ method, url, key, body: body && { type: body.type, text: body.text ?? "" } }));
  };
  const publicKey = keys.data?.keys.find(({ public_key }) => public_key?.endsWith(call.key.slice(-4)))?.public_key;
  const press = () =>
    reveals ? reveal.mutate({}, { onSuccess: ({ key }) => copyWith(key) }) : copyWith(publicKey ?? null);
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button
          variant="default"
          loading={reveal.isPending || (isPublic && keys.isPending)}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={press}
        >
          {copied ? "Copied" : "Copy as curl"}
        </Button>
        <Text size="sm" c="dimmed" flex="1 1 240px">
          {reveals && "With your test secret key filled in."}
          {!reveals && !publicKey && (
            <>
              Set <code>COLLECT_KEY</code> to your {mode} key first.
            </>
          )}
        </Text>
      </Group>
      <FormProblem error={reveal.error} />
      {reveal.error && (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => copyWith(null)}>
          Copy with COLLECT_KEY instead
        </Button>
      )}
    </Stack>
  );
}
