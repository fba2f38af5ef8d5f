import { Alert, Button, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { actPerson } from "../../api/calls.ts";
import { errorsByField } from "../../api/problem.ts";
import { useReauthentication } from "../../api/reauthentication.tsx";
import { useScope } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { NewPassword } from "../../components/new-password.tsx";
import { SectionCard } from "../../components/section-card.tsx";

type Given = { current: string; chosen: string };

/** Changes the password, or sets the first one of a user who signed in with a link. */
export function PasswordForm() {
  const { me } = useScope();
  const hasPassword = me.user.has_password;
  const client = useQueryClient();
  const confirmed = useReauthentication();
  const form = useForm<Given>({ initialValues: { current: "", chosen: "" } });
  const save = useMutation({
    mutationFn: ({ current, chosen }: Given) =>
      hasPassword
        ? actPerson("auth/change-password", { currentPassword: current, newPassword: chosen })
        : confirmed(() => actPerson("password", { new_password: chosen })),
    onError: (problem) => form.setErrors(byName(problem)),
    onSuccess: async () => {
      form.reset();
      await Promise.all(["me", "devices"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
    },
  });
  return (
    <SectionCard
      title="Password"
      lead={
        hasPassword
          ? "Changing it signs you out on all other devices."
          : "You signed in with a link and have no password yet. Set one to sign in without a link."
      }
    >
      <form aria-label="Password" onSubmit={form.onSubmit((given) => save.mutate(given))}>
        <Stack gap="sm" maw={360}>
          {/* Lets password managers know whose password it is. */}
          <input type="text" name="username" autoComplete="username" value={me.user.email} readOnly hidden />
          {hasPassword && (
            <PasswordInput
              {...form.getInputProps("current")}
              label="Current password"
              autoComplete="current-password"
              required
              withAsterisk={false}
            />
          )}
          <NewPassword
            {...form.getInputProps("chosen")}
            value={form.values.chosen}
            personal={[me.user.name, me.user.email, ...me.merchants.map(({ name }) => name)]}
            label="New password"
          />
          <FormProblem error={save.error} fields={["currentPassword", "newPassword", "new_password"]} />
          {save.isSuccess && (
            <Alert color="accent" role="status">
              Your password was changed.
            </Alert>
          )}
          <Button type="submit" loading={save.isPending} w="fit-content">
            {hasPassword ? "Change password" : "Set password"}
          </Button>
        </Stack>
      </form>
    </SectionCard>
  );
}

/** Maps the server's field names to the form's. */
function byName(problem: unknown): Partial<Record<keyof Given, string>> {
  const { currentPassword, newPassword, new_password } = errorsByField(problem);
  const chosen = newPassword ?? new_password;
  return {
    ...(currentPassword && { current: "Incorrect current password." }),
    ...(chosen && { chosen: `The password ${chosen}.` }),
  };
}
