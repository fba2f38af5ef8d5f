import { Alert, Anchor, Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router";
import { actPerson } from "../../api/calls.ts";
import { fieldErrors } from "../../api/problem.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { AccountFrame } from "./account-frame.tsx";

/** Has a link sent that permits a new password. The page says the same, whether or not the address is known. */
export function ForgotPasswordPage() {
  const form = useForm({ initialValues: { email: "" } });
  const request = useMutation({
    mutationFn: (given: typeof form.values) => actPerson("password-reset/request", given),
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  return (
    <AccountFrame
      title="Forgot your password?"
      lead="Enter the email address of your account. We'll send you a link to choose a new password."
      below={
        <Anchor component={Link} to="/sign-in">
          Back to sign in
        </Anchor>
      }
    >
      {request.isSuccess ? (
        <Alert color="accent" role="status" title="Check your email">
          If {form.values.email} has an account, we've sent a link to it. The link works once, for 30 minutes. If it
          doesn't arrive, check your spam folder.
        </Alert>
      ) : (
        <form onSubmit={form.onSubmit((given) => request.mutate(given))}>
          <Stack>
            <FormProblem error={request.error} fields={["email"]} />
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
            <Button type="submit" size="md" loading={request.isPending}>
              Send the link
            </Button>
          </Stack>
        </form>
      )}
    </AccountFrame>
  );
}
