import { Anchor, Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { actPerson } from "../../api/calls.ts";
import { errorsByField } from "../../api/problem.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { AccountFrame } from "./account-frame.tsx";
import { useAfterSignIn } from "./use-after-sign-in.ts";

const KINDS = {
  totp: {
    path: "auth/two-factor/verify-totp",
    label: "Authenticator code",
    lead: "Enter the six-digit code from your authenticator app.",
    wrong: "This code is incorrect or has expired. Enter the current code.",
    other: "Use a backup code instead",
  },
  backup: {
    path: "auth/two-factor/verify-backup-code",
    label: "Backup code",
    lead: "One of the codes you saved when you turned on two-factor authentication. Each works once.",
    wrong: "This backup code is incorrect or was already used.",
    other: "Use an authenticator code instead",
  },
} as const;

type Props = { onStartAgain: () => void; onEntered?: () => void };

/** The second step of signing in, for accounts with two-factor authentication. */
export function TwoFactorStep({ onStartAgain, onEntered }: Props) {
  const afterSignIn = useAfterSignIn();
  const [kind, setKind] = useState<keyof typeof KINDS>("totp");
  const [code, setCode] = useState("");
  const { path, label, lead, wrong, other } = KINDS[kind];
  const verify = useMutation({
    mutationFn: () => actPerson(path, { code: kind === "totp" ? code.replace(/\D/g, "") : code.trim() }),
    onSuccess: async () => {
      await afterSignIn();
      onEntered?.();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate();
  };
  const change = () => {
    setKind(kind === "totp" ? "backup" : "totp");
    setCode("");
    verify.reset();
  };
  return (
    <AccountFrame
      title="One more step"
      lead={lead}
      below={
        <Anchor component="button" type="button" onClick={onStartAgain}>
          Start over with email and password
        </Anchor>
      }
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem error={verify.error} fields={["code"]} />
          <TextInput
            key={kind}
            label={label}
            value={code}
            error={errorsByField(verify.error).code && wrong}
            onChange={(event) => setCode(event.currentTarget.value)}
            inputMode={kind === "totp" ? "numeric" : "text"}
            autoComplete="one-time-code"
            classNames={{ input: "mono" }}
            size="md"
            required
            withAsterisk={false}
            autoFocus
          />
          <Button type="submit" size="md" loading={verify.isPending}>
            Sign in
          </Button>
          <Button variant="subtle" onClick={change}>
            {other}
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  );
}
