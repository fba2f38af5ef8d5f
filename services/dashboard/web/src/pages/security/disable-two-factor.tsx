import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { actPerson } from "../../api/calls.ts";
import { errorsByField } from "../../api/problem.ts";
import { useReauthentication } from "../../api/reauthentication.tsx";
import { FormProblem } from "../../components/form-problem.tsx";

/** Turns off the second factor with the password, and with a code unless recently authenticated. */
export function DisableTwoFactor({ onEnd }: { onEnd: () => void }) {
  const client = useQueryClient();
  const confirmed = useReauthentication();
  const [password, setPassword] = useState("");
  const disable = useMutation({
    mutationFn: () => confirmed(() => actPerson("auth/two-factor/disable", { password })),
    onSuccess: async () => {
      await Promise.all(["me", "devices"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
      onEnd();
    },
  });
  const isWrong = "password" in errorsByField(disable.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    disable.mutate();
  };
  return (
    <form aria-label="Turn off two-factor" onSubmit={submit}>
      <Stack gap="sm" maw={480}>
        <Text size="sm">
          Anyone who knows your password will be able to sign in. Your authenticator entry and backup codes will stop
          working.
        </Text>
        <PasswordInput
          label="Your password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={isWrong && "Incorrect password."}
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus
          maw={360}
        />
        <FormProblem error={disable.error} fields={["password"]} />
        <Group>
          <Button type="submit" color="red.9" loading={disable.isPending}>
            Turn off
          </Button>
          <Button variant="default" onClick={onEnd}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
