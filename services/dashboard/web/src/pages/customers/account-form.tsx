import { Button, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ActResponse } from "../../api/calls.ts";
import { useAct } from "../../api/hooks.ts";
import { fieldErrors } from "../../api/problem.ts";
import { FormProblem } from "../../components/form-problem.tsx";

export type IssuedAccount = ActResponse<"customers">;
type Values = { customer_reference: string; customer_name: string };
const EMPTY: Values = { customer_reference: "", customer_name: "" };

/** Issues an account to a customer. Idempotent: a customer with an account keeps it. */
export function AccountForm(props: { proposed?: Values; onIssued: (issued: IssuedAccount) => void }) {
  const form = useForm({ initialValues: props.proposed ?? EMPTY });
  const issue = useAct("customers", { changes: ["customers", "checklist"] });
  const submit = form.onSubmit((given) =>
    issue.mutate(given, {
      onError: (problem) => form.setErrors(fieldErrors(problem)),
      onSuccess: props.onIssued,
    }),
  );
  return (
    <form aria-label="Issue an account" onSubmit={submit}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} maw={560}>
          <TextInput
            {...form.getInputProps("customer_reference")}
            label="Customer reference"
            description={"Your own ID: letters, digits and .\u00a0_\u00a0:\u00a0-"}
            data-autofocus
            required
            withAsterisk={false}
            maxLength={80}
            autoComplete="off"
          />
          <TextInput
            {...form.getInputProps("customer_name")}
            label="Customer name"
            description="Part of the account name that payers see"
            required
            withAsterisk={false}
            maxLength={100}
            dir="auto"
            autoComplete="off"
          />
        </SimpleGrid>
        <FormProblem error={issue.error} fields={Object.keys(EMPTY)} />
        <Button type="submit" loading={issue.isPending} w="fit-content">
          Issue account
        </Button>
      </Stack>
    </form>
  );
}
