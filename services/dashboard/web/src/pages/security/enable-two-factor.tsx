import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { actPerson } from "../../api/calls.ts";
import { errorsByField } from "../../api/problem.ts";
import { Copy } from "../../components/copy.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { QrCode } from "./qr-code.tsx";

type Secret = Awaited<ReturnType<typeof actPerson<"auth/two-factor/enable">>>;
type Props = { onCancel: () => void; onEnabled: (backupCodes: string[]) => void };

/** Password, then the secret for the app, then a code that proves that the app has it. Only then it is turned on. */
export function EnableTwoFactor({ onCancel, onEnabled }: Props) {
  const [password, setPassword] = useState("");
  const begin = useMutation({ mutationFn: () => actPerson("auth/two-factor/enable", { password }) });
  if (begin.data) return <Verify secret={begin.data} onCancel={onCancel} onEnabled={onEnabled} />;
  const isWrong = "password" in errorsByField(begin.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate();
  };
  return (
    <form aria-label="Turn on two-factor" onSubmit={submit}>
      <Stack gap="sm" maw={360}>
        <PasswordInput
          label="Your password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isWrong && "Incorrect password."}
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus
        />
        <FormProblem error={begin.error} fields={["password"]} />
        <Group>
          <Button type="submit" loading={begin.isPending}>
            Continue
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
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
