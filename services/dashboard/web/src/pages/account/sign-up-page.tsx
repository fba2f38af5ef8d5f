import { Alert, Anchor, Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { Link, Navigate, useNavigate } from "react-router";
import { actPerson } from "../../api/calls.ts";
import { useMe } from "../../api/me.ts";
import { ApiProblem, errorsByField, fieldErrors } from "../../api/problem.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { NewPassword } from "../../components/new-password.tsx";
import { AccountFrame } from "./account-frame.tsx";
import { useDestination, withDestination } from "./destination.ts";
import { useAfterSignIn } from "./use-after-sign-in.ts";

const FIELDS = ["name", "email", "password"] as const;

/** Creates a user account. The next page asks a user without a business to name one. */
export function SignUpPage() {
  const { data: me } = useMe();
  const to = useDestination();
  const afterSignIn = useAfterSignIn();
  const navigate = useNavigate();
  const signIn = withDestination("/sign-in", to);
  const form = useForm({ initialValues: { name: "", email: "", password: "" } });
  const signUp = useMutation({
    // Sign-up responds the same for a known address; signing in reveals it only to the person with the password.
    mutationFn: async ({ name, email, password }: typeof form.values) => {
      await actPerson("auth/sign-up/email", { name, email, password });
      return actPerson("auth/sign-in/email", { email, password });
    },
    onError: (problem) => form.setErrors(errorsOf(problem)),
    onSuccess: async ({ twoFactorRedirect }) => (twoFactorRedirect ? navigate(signIn) : afterSignIn()),
  });
  if (me) return <Navigate to={to} replace />;
  return (
    <AccountFrame
      title="Create your account"
      lead="Simulate your first payment within minutes. You need no documents until you go live."
      below={
        <>
          Have an account?{" "}
          <Anchor component={Link} to={signIn}>
            Sign in
          </Anchor>
        </>
      }
    >
      <form onSubmit={form.onSubmit((given) => signUp.mutate(given))}>
        <Stack>
          {isAddressTaken(signUp.error) ? (
            <AddressTaken signIn={signIn} />
          ) : (
            <FormProblem error={signUp.error} fields={FIELDS} />
          )}
          <TextInput
            {...form.getInputProps("name")}
            label="Your name"
            autoComplete="name"
            size="md"
            maxLength={100}
            required
            withAsterisk={false}
            autoFocus
          />
          <TextInput
            {...form.getInputProps("email")}
            label="Email"
            type="email"
            autoComplete="username"
            size="md"
            required
            withAsterisk={false}
          />
          <NewPassword
            {...form.getInputProps("password")}
            value={form.values.password}
            personal={[form.values.name, form.values.email]}
            label="Password"
            size="md"
          />
          <Button type="submit" size="md" loading={signUp.isPending}>
            Create account
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  );
}

/** What is wrong with a password is said of the password: "is easy to guess" can't stand alone. */
function errorsOf(problem: unknown): Record<string, string> {
  const { password } = errorsByField(problem);
  return { ...fieldErrors(problem), ...(password && { password: `The password ${password}.` }) };
}

const isAddressTaken = (problem: unknown) => problem instanceof ApiProblem && problem.code === "sign_in_required";

function AddressTaken({ signIn }: { signIn: string }) {
  return (
    <Alert color="orange" role="alert" title="We couldn't sign you in">
      If you already have an account with this email, its password has not changed.{" "}
      <Anchor component={Link} to={signIn} size="sm">
        Sign in with that password
      </Anchor>
    </Alert>
  );
}
