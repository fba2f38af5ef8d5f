import type { issueCustomerAccount } from "@collect/contracts";
import { Button, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useNavigate } from "react-router";
import { type ReplyOf, useAct } from "../../api/hooks.ts";
import { errorsByField } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import { FormProblem } from "./form-parts.tsx";

const FIELDS = ["customer_reference", "customer_name"];

/** Gives a customer an account. Who has one already keeps it: doing it twice does nothing. */
export function OpenAccount({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Open an account for a customer">
      <AccountForm onDone={onClose} />
    </Modal>
  );
}

function AccountForm({ onDone }: { onDone: () => void }) {
  const { home } = useScope();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { customer_reference: "", customer_name: "" } });
  const issue = useAct<ReplyOf<typeof issueCustomerAccount>>("customers", { changes: ["customers", "checklist"] });
  const submit = form.onSubmit((given) =>
    issue.mutate(given, {
      onError: (problem) => form.setErrors(errorsByField(problem)),
      onSuccess: ({ account, created }) => {
        onDone();
        notifications.show({
          message: created
            ? `The account of ${account.customer_reference} is open.`
            : `${account.customer_reference} had an account before. Here it is.`,
        });
        navigate(`${home}/customers/${encodeURIComponent(account.customer_reference)}`);
      },
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">They get an account number at once. It is theirs for good, whatever they pay.</Text>
        <TextInput
          {...form.getInputProps("customer_reference")}
          label="Customer reference"
          description={"Your own key for the customer: letters, digits and .\u00a0_\u00a0:\u00a0-"}
          data-autofocus
          required
          maxLength={80}
          autoComplete="off"
        />
        <TextInput
          {...form.getInputProps("customer_name")}
          label="Customer name"
          description="Stands in the account's name, which payers see"
          required
          maxLength={100}
          dir="auto"
          autoComplete="off"
        />
        <FormProblem error={issue.error} fields={FIELDS} />
        <Button type="submit" loading={issue.isPending}>
          Open the account
        </Button>
      </Stack>
    </form>
  );
}
