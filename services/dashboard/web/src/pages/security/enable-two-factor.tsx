import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { actPerson } from "../../api/calls.ts";
import { errorsByField } from "../../api/problem.ts";
import { Copy } from "../../components/copy.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { Enrol } from "./enrol.tsx";
import { QrCode } from "./qr-code.tsx";

type Secret = Awaited<ReturnType<typeof actPerson<"auth/two-factor/enable">>>;
type Props = { onCancel: () => void; onEnabled: (backupCodes: string[]) => void };

/** What proves the user, then the secret for the app, then a code that proves that the app has it. Only then it is turned on. */
export function EnableTwoFactor({ onCancel, onEnabled }: Props) {
  const [secret, setSecret] = useState<Secret>();
  const begin = async (password: string) => setSecret(await actPerson("auth/two-factor/enable", { password }));
  if (secret) return <Verify secret={secret} onCancel={onCancel} onEnabled={onEnabled} />;
  return <Enrol label="Turn on two-factor" onCancel={onCancel} onPermitted={begin} />;
}

function Verify({ secret, onCancel, onEnabled }: Props & { secret: Secret }) {
  const client = useQueryClient();
  const [code, setCode] = useState("");
  const verify = useMutation({
    mutationFn: () => actPerson("auth/two-factor/verify-totp", { code }),
    onSuccess: async () => {
      onEnabled(secret.backupCodes);
      await Promise.all(["me", "devices"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
    },
  });
  const text = new URL(secret.totpURI).searchParams.get("secret") ?? "";
  const isWrong = "code" in errorsByField(verify.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate();
  };
  return (
    <form aria-label="Turn on two-factor" onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          Scan this with an authenticator app such as Google Authenticator, 1Password or Aegis, or enter the secret
          manually.
        </Text>
        <QrCode text={secret.totpURI} label="QR code for your authenticator app" />
        <Copy value={text} what="secret">
          <span className="mono wrap-anywhere">{text.match(/.{1,4}/g)?.join(" ")}</span>
        </Copy>
        <TextInput
          label="Code from the app"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={isWrong && "This code is incorrect or has expired. Enter the current code."}
          inputMode="numeric"
          autoComplete="one-time-code"
          maw={360}
          required
          withAsterisk={false}
        />
        <FormProblem error={verify.error} fields={["code"]} />
        <Group>
          <Button type="submit" loading={verify.isPending}>
            Turn on
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
