import { Button, Center, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { errorsByField } from "../api/problem.ts";
import { queryClient } from "../api/query-client.ts";
import { Copy } from "../components/copy.tsx";
import { FormProblem } from "../components/form-problem.tsx";
import { AccountFrame } from "../pages/account/account-frame.tsx";
import { QrCode } from "../pages/security/qr-code.tsx";
import { signInBy } from "./api.ts";
import { toBase32 } from "./nkey.ts";

const FIELDS = ["password", "code"] as const;

/** The first time: a password and an authenticator, whose secret is drawn here and kept encrypted under the password. */
export function SetUpForm({ name }: { name: string }) {
  const [secret] = useState(() => toBase32(crypto.getRandomValues(new Uint8Array(20))));
  const [given, setGiven] = useState({ password: "", code: "" });
  const setUp = useMutation({
    mutationFn: () => signInBy("gateway.operator_sign_in.set_up", { ...given, totp_secret: secret }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["me"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setUp.mutate();
  };
  const field = (of: (typeof FIELDS)[number]) => ({
    value: given[of],
    error: errorsByField(setUp.error)[of],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setGiven({ ...given, [of]: currentTarget.value }),
    size: "md" as const,
    required: true,
    withAsterisk: false,
  });
  const address = `otpauth://totp/Collect%20operators:${name}?secret=${secret}&issuer=Collect%20operators`;
  return (
    <AccountFrame
      title={`Welcome, ${name}`}
      lead="Choose a password and set up an authenticator app. You need both at every sign-in, in this browser."
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem error={setUp.error} fields={FIELDS} />
          <PasswordInput
            {...field("password")}
            label="New password"
            description="At least 12 characters. Four or five random words work well."
            autoComplete="new-password"
            minLength={12}
            autoFocus
          />
          <Text size="sm">Scan this with the authenticator app, or type the key into it.</Text>
          <Center>
            <QrCode text={address} label="QR code for the authenticator app" />
          </Center>
          <Copy value={secret} what="key for the authenticator" />
          <TextInput
            {...field("code")}
            label="Authenticator code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
          />
          <Button type="submit" size="md" loading={setUp.isPending}>
            Finish and sign in
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  );
}
