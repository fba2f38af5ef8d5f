import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { actPerson } from "../../api/calls.ts";
import { errorsByField } from "../../api/problem.ts";
import { useReauthentication } from "../../api/reauthentication.tsx";
import { useScope } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";

type Begun = Awaited<ReturnType<typeof actPerson<"second-factor/begin">>>;
type Props = {
  /** Of the form, for readers of the screen. */
  label: string;
  onCancel: () => void;
  /** The server permits setting up a second factor now. What it throws is shown here. */
  onPermitted: (password: string) => Promise<unknown>;
};

/** Before a second factor is set up: the password again and, for a first one, the code that is mailed. */
export function Enrol({ label, onCancel, onPermitted }: Props) {
  const confirmed = useReauthentication();
  const [password, setPassword] = useState("");
  const [begun, setBegun] = useState<Begun>();
  const begin = useMutation({
    mutationFn: async () => {
      const answer = await confirmed(() => actPerson("second-factor/begin", { password }));
      if (answer.permitted_until) await onPermitted(password);
      else setBegun(answer);
    },
  });
  if (begun)
    return (
      <Code
        {...{ label, begun, onCancel }}
        again={() => begin.mutateAsync()}
        onPermitted={() => onPermitted(password)}
      />
    );
  const isWrong = "password" in errorsByField(begin.error);
  return (
    <Step {...{ label, onCancel }} act={begin} fields={["password"]}>
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
    </Step>
  );
}

function Code({
  label,
  begun,
  again,
  onCancel,
  onPermitted,
}: Omit<Props, "onPermitted"> & {
  begun: Begun;
  again: () => Promise<unknown>;
  onPermitted: () => Promise<unknown>;
}) {
  const { me } = useScope();
  const [code, setCode] = useState(begun.code ?? "");
  const confirm = useMutation({
    mutationFn: async () => {
      await actPerson("second-factor/confirm", { code });
      await onPermitted();
    },
  });
  const resend = useMutation({
    mutationFn: again,
    onSuccess: () => {
      confirm.reset();
      setCode("");
    },
  });
  const isWrong = "code" in errorsByField(confirm.error);
  return (
    <Step {...{ label, onCancel }} act={confirm} fields={["code"]}>
      {begun.code === null ? (
        <Text size="sm">
          We sent a code to <b className="wrap-anywhere">{begun.sent_to ?? me.user.email}</b>, so that someone who only
          knows your password can't do this. It's valid for 15 minutes, on this page.
        </Text>
      ) : (
        <Alert color="yellow" role="status">
          This installation doesn't send email, so your code is already filled in.
        </Alert>
      )}
      <TextInput
        label="Code from the email"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={isWrong && "Incorrect code. Check the latest email."}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        autoFocus
      />
      <FormProblem error={resend.error} />
      {resend.isSuccess && (
        <Text size="sm" role="status">
          A new code is on its way. It replaces the previous one.
        </Text>
      )}
      {begun.code === null && (
        <Button variant="subtle" w="fit-content" px={0} loading={resend.isPending} onClick={() => resend.mutate()}>
          Send a new code
        </Button>
      )}
    </Step>
  );
}

function Step(props: {
  label: string;
  act: { mutate: () => void; isPending: boolean; error: unknown };
  fields: string[];
  onCancel: () => void;
  children: ReactNode;
}) {
  const { label, act, fields, onCancel, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate();
  };
  return (
    <form aria-label={label} onSubmit={submit}>
      <Stack gap="sm" maw={360}>
        {children}
        <FormProblem error={act.error} fields={fields} />
        <Group>
          <Button type="submit" loading={act.isPending}>
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
