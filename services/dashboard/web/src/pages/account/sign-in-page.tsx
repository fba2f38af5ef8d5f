import { Alert, Anchor, Button, Divider, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Navigate } from "react-router";
import { actPerson } from "../../api/calls.ts";
import { useMe } from "../../api/me.ts";
import { signInWithPasskey } from "../../api/passkeys.ts";
import { WHY_ENDED } from "../../api/query-client.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { AccountFrame } from "./account-frame.tsx";
import { useDestination, withDestination } from "./destination.ts";
import { TwoFactorStep } from "./two-factor-step.tsx";
import { useAfterSignIn } from "./use-after-sign-in.ts";

/** A signed-in user is redirected to the requested page. */
export function SignInPage() {
  const { data: me } = useMe();
  const to = useDestination();
  const [needsCode, setNeedsCode] = useState(false);
  if (me) return <Navigate to={to} replace />;
  if (needsCode) return <TwoFactorStep onStartAgain={() => setNeedsCode(false)} />;
  return <PasswordStep to={to} onCodeNeeded={() => setNeedsCode(true)} />;
}

function PasswordStep({ to, onCodeNeeded }: { to: string; onCodeNeeded: () => void }) {
  const afterSignIn = useAfterSignIn();
  const whyEnded = useQueryClient().getQueryData<string>(WHY_ENDED);
  const form = useForm({ initialValues: { email: "", password: "" } });
  const signIn = useMutation({
    mutationFn: (given: typeof form.values) => actPerson("auth/sign-in/email", given),
    onSuccess: async ({ twoFactorRedirect }) => {
      if (twoFactorRedirect) onCodeNeeded();
      else await afterSignIn();
    },
  });
  return (
    <AccountFrame
      title="Sign in"
      below={
        <>
          New here?{" "}
          <Anchor component={Link} to={withDestination("/sign-up", to)}>
            Create an account
          </Anchor>
        </>
      }
    >
      {whyEnded && (
        <Alert color="yellow" role="status">
          {whyEnded}
        </Alert>
      )}
      <form onSubmit={form.onSubmit((given) => signIn.mutate(given))}>
        <Stack>
          <FormProblem error={signIn.error} />
          <TextInput
            {...form.getInputProps("email")}
            label="Email"
            type="email"
            autoComplete="username"
            size="md"
            required
            withAsterisk={false}
            autoFocus
          />
          <PasswordInput
            {...form.getInputProps("password")}
            label="Password"
            autoComplete="current-password"
            size="md"
            required
            withAsterisk={false}
          />
          <Button type="submit" size="md" loading={signIn.isPending}>
            Sign in
          </Button>
          <Anchor component={Link} to="/forgot-password" size="sm" ta="center" py={6}>
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
      <PasskeySignIn />
    </AccountFrame>
  );
}

/** Without a password or a code: a passkey is both. */
function PasskeySignIn() {
  const afterSignIn = useAfterSignIn();
  const signIn = useMutation({ mutationFn: signInWithPasskey, onSuccess: afterSignIn });
  return (
    <Stack>
      <Divider label="or" />
      <FormProblem error={signIn.error} />
      <Button variant="default" size="md" loading={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in with a passkey
      </Button>
    </Stack>
  );
}
