import { Anchor, Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, Navigate, useNavigate } from "react-router";
import { actPerson } from "../../api/calls.ts";
import { useMe } from "../../api/me.ts";
import { fieldErrors } from "../../api/problem.ts";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { AccountFrame } from "./account-frame.tsx";
import { withDestination } from "./destination.ts";

/** Creates a business owned by the signed-in user. */
export function NewBusinessPage() {
  const { data: me, error, isPending, refetch } = useMe();
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: "" } });
  const create = useMutation({
    mutationFn: (given: { name: string }) => actPerson("merchants", given),
    onError: (problem) => form.setErrors(fieldErrors(problem)),
    onSuccess: async ({ merchant_id }) => {
      await client.invalidateQueries({ queryKey: ["me"] });
      navigate(`/m/${merchant_id}/test/get-started`);
    },
  });
  if (isPending) return null;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!me) return <Navigate to={withDestination("/sign-in", "/new-business")} replace />;
  return (
    <AccountFrame
      title="Name your business"
      lead="Your customers see this name on their account numbers and on the checkout page."
      below={
        me.merchants.length > 0 && (
          <Anchor component={Link} to="/">
            Back to {me.merchants[0]?.name}
          </Anchor>
        )
      }
    >
      <form onSubmit={form.onSubmit((given) => create.mutate(given))}>
        <Stack>
          <FormProblem error={create.error} fields={["name"]} />
          <TextInput
            {...form.getInputProps("name")}
            label="Business name"
            description="The name your customers know. We'll ask for the registered name later."
            autoComplete="organization"
            size="md"
            maxLength={100}
            required
            withAsterisk={false}
            autoFocus
          />
          <Button type="submit" size="md" loading={create.isPending}>
            Continue
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  );
}
