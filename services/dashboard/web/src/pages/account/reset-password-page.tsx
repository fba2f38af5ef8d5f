import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, useParams } from "react-router";
import { actPerson } from "../../api/calls.ts";
import { ApiProblem, errorsByField } from "../../api/problem.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { NewPassword } from "../../components/new-password.tsx";
import { AccountFrame } from "./account-frame.tsx";

/** Chooses a new password with the link of a mail. Opening the page does not use the link. */
export function ResetPasswordPage() {
  const { token = "" } = useParams();
  const [password, setPassword] = useState("");
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: () => actPerson("password-reset", { token, new_password: password }),
    onSuccess: () => client.setQueryData(["me"], null),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate();
  };
  if (reset.isSuccess) return <Done />;
  if (reset.error instanceof ApiProblem && reset.error.code === "not_found") return <InvalidLink />;
  const wrong = errorsByField(reset.error).new_password;
  return (
    <AccountFrame title="Choose a new password" lead="You will be signed out on all devices.">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem error={reset.error} fields={["new_password"]} />
          <NewPassword
            label="New password"
            size="md"
            value={password}
            personal={[]}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={wrong && `The password ${wrong}.`}
            autoFocus
          />
          <Button type="submit" size="md" loading={reset.isPending}>
            Set password
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  );
}

function Done() {
  return (
    <AccountFrame title="Your password was changed">
      <Alert color="accent" role="status">
        Sign in with your new password.
      </Alert>
      <Button component={Link} to="/sign-in" size="md">
        Sign in
      </Button>
    </AccountFrame>
  );
}

function InvalidLink() {
  return (
    <AccountFrame title="This link no longer works">
      <Text>
        It was already used or has expired.{" "}
        <Anchor component={Link} to="/forgot-password">
          Request a new one
        </Anchor>
        .
      </Text>
    </AccountFrame>
  );
}
