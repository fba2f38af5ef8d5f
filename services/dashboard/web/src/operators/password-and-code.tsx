import { Button, PasswordInput, type PasswordInputProps, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { errorsByField } from "../api/problem.ts";
import { queryClient } from "../api/query-client.ts";
import { FormProblem } from "../components/form-problem.tsx";

const NONE = { password: "", code: "" };
type Given = typeof NONE;
const FIELDS = Object.keys(NONE);

/** The form that a session begins with: a password, what stands between, and the authenticator's code. */
export function PasswordAndCode(props: {
  onSend: (given: Given) => Promise<unknown>;
  submit: string;
  password: PasswordInputProps;
  children?: ReactNode;
}) {
  const { onSend, submit, password, children } = props;
  const [given, setGiven] = useState(NONE);
  const send = useMutation({
    mutationFn: () => onSend(given),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["me"] }),
    // A code is accepted once.
    onError: () => setGiven({ ...given, code: "" }),
  });
  const field = (of: keyof Given) => ({
    value: given[of],
    error: errorsByField(send.error)[of],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setGiven({ ...given, [of]: currentTarget.value }),
    size: "md" as const,
    required: true,
    withAsterisk: false,
  });
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <Stack>
        <FormProblem error={send.error} fields={FIELDS} />
        <PasswordInput {...field("password")} {...password} autoFocus />
        {children}
        <TextInput
          {...field("code")}
          label="Authenticator code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
        />
        <Button type="submit" size="md" loading={send.isPending}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
